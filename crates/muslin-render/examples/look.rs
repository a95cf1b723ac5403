use muslin_render::*;
fn scene(w: u32, h: u32, t: f32) -> Picture {
    let mut p = Picture::filled(w, h, [226, 229, 232]);
    for y in 0..h {
        for x in 0..w {
            let (u, v) = (x as f32 / w as f32, y as f32 / h as f32);
            let g = 0.9 - 0.2 * v;
            let i = (y * w + x) as usize;
            p.pixels[i] = [(g * 250.0) as u8, (g * 251.0) as u8, (g * 255.0) as u8];
            let d = ((u - 0.5 - 0.1 * t) * 1.6).hypot(v - 0.5);
            if d < 0.3 {
                let s = (1.0 - d / 0.3).sqrt();
                let r = 3.0 * (u * 9.0 + t * 3.0).sin().abs() * s;
                let c = StrainScale::embedded().colour(r);
                p.pixels[i] = c.map(|b| (f32::from(b) * (0.7 + 0.3 * s)) as u8);
            }
        }
    }
    p
}
fn main() {
    let dir = std::path::Path::new("/tmp/pieces/out");
    std::fs::create_dir_all(dir).unwrap();
    for (w, h) in [(960, 540), (320, 180), (1920, 1080)] {
        let mut p = scene(w, h, 0.0);
        Legend::Strain { limit: 0.01 }.draw(&mut p, LegendPlace::BottomRight);
        Legend::Contact(ContactScale::default()).draw(&mut p, LegendPlace::BottomLeft);
        write_png(&dir.join(format!("legend{w}.png")), &p).unwrap();
    }
    let cells: Vec<_> = (0..6)
        .map(|k| StripCell { picture: scene(320, 240, k as f32 / 5.0), caption: format!("{:.2} s", k as f32 * 0.6) })
        .collect();
    let p =
        strip(&cells, &StripStyle { legend: Some(Legend::Strain { limit: 0.001 }), ..StripStyle::default() }).unwrap();
    write_png(&dir.join("strip.png"), &p).unwrap();
}
