//! The rows of a model made ready for sweeps: who is joined to whom, by which limit and spring, and who is held.

use glam::DVec3;

use super::super::rows::{Colouring, Row, cross_rows, edge_rows};
use super::lanes::{Lanes, Quad, add_scaled, dot, minus, sweep};
use super::tethers::{Graph, Tether, tethers};
use crate::drivers::{Drivers, Freedom};
use crate::forces::SpringKind;
use crate::model::Model;

/// Square of the limit of rows that have none [m²]: no length comes near it, and no product with it overflows.
const UNLIMITED: f64 = 1e30;

/// What a row does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    pub(super) row: Row,
    /// True: its length is limited.
    pub(super) limited: bool,
    /// Stiffness of its spring k [N/m]; 0: none.
    stiffness: f64,
    /// Damping time of its spring τ [s].
    damping_time: f64,
}

/// The links that are swept four at a time, the others, and the tethers.
#[derive(Debug)]
pub(super) struct Network {
    pub(super) links: Vec<Link>,
    /// Inverse masses [1/kg], 0 for fixed particles; one more for the particle that fills up quads.
    pub(super) w: Vec<f64>,
    quads: Vec<Quad>,
    /// The limited rows of the quads without springs, at the limit that a step is judged by.
    strict: Vec<Quad>,
    /// k (w_a + w_b) [1/s²] and τ [s] of the rows of each quad.
    laws: Vec<(Lanes, Lanes)>,
    tethers: Vec<Tether>,
    /// Those of them that may become tight in the step under way.
    near: Vec<Quad>,
    /// Links with an end that moves in a plane or on a line only.
    guided: Vec<Link>,
    /// Particles that are not free.
    restrained: Vec<u32>,
    /// What is held, as the lists above were made for it.
    held: Vec<Freedom>,
    /// Greatest length aimed at while moving, as a share of the rest length.
    aim: f64,
    /// Greatest length aimed at when a step is judged, likewise.
    strict_aim: f64,
}

impl Network {
    /// The links of a model: limits of all structural edges (and of cross edges on triangle meshes), and, `with_springs`,
    /// its linear springs.
    pub(super) fn new(model: &Model, [aim, strict_aim]: [f64; 2], with_springs: bool) -> Self {
        let bare = |row| Link { row, limited: true, stiffness: 0.0, damping_time: 0.0 };
        let mut links: Vec<Link> = edge_rows(model).into_iter().map(bare).collect();
        if with_springs {
            add_springs(model, &mut links);
        }
        links.extend(cross_rows(&only_triangles(model)).into_iter().map(bare));
        Self {
            links,
            w: Vec::new(),
            quads: Vec::new(),
            strict: Vec::new(),
            laws: Vec::new(),
            tethers: Vec::new(),
            near: Vec::new(),
            guided: Vec::new(),
            restrained: Vec::new(),
            held: Vec::new(),
            aim,
            strict_aim,
        }
    }

    /// Makes the lists anew when other particles are held than before.
    pub(super) fn hold(&mut self, model: &Model, drivers: &Drivers, with_tethers: bool) {
        if self.held == drivers.freedom {
            return;
        }
        self.held.clone_from(&drivers.freedom);
        self.w.clear();
        let inverse = |i: usize| if drivers.freedom[i] == Freedom::Fixed { 0.0 } else { 1.0 / model.mass[i] };
        self.w.extend((0..model.len()).map(inverse));
        self.w.push(0.0);
        self.restrained.clear();
        let restrained = (0..).zip(&drivers.freedom).filter(|(_, freedom)| **freedom != Freedom::Free);
        self.restrained.extend(restrained.map(|(i, _)| i));
        let guided = |link: &Link| {
            [link.row.a, link.row.b]
                .iter()
                .any(|&end| matches!(drivers.freedom[end as usize], Freedom::Plane(_) | Freedom::Line(_)))
        };
        self.guided = self.links.iter().filter(|link| guided(link)).copied().collect();
        let swept: Vec<Link> =
            self.links.iter().filter(|link| !guided(link) && self.yielding(&link.row) > 0.0).copied().collect();
        self.fill_quads(&swept);
        self.tethers.clear();
        if with_tethers {
            let limited: Vec<Row> = self.links.iter().filter(|link| link.limited).map(|link| link.row).collect();
            let graph = Graph::of(&limited, model.len());
            let fixed: Vec<bool> = drivers.freedom.iter().map(|freedom| *freedom == Freedom::Fixed).collect();
            // Those of particles in a plane or on a line are left out.
            let free = |tether: &Tether| drivers.freedom[tether.particle as usize] == Freedom::Free;
            self.tethers.extend(tethers(&graph, &fixed).into_iter().filter(free));
            self.near.reserve(self.tethers.len());
        }
    }

    /// Particles that are not free.
    pub(super) fn restrained(&self) -> &[u32] {
        &self.restrained
    }

    /// w_a + w_b [1/kg].
    pub(super) fn yielding(&self, row: &Row) -> f64 {
        self.w[row.a as usize] + self.w[row.b as usize]
    }

    /// True when a link can be swept, so that a direct solve may take it too.
    pub(super) fn is_plain(&self, link: &Link) -> bool {
        let free = |end: u32| matches!(self.held[end as usize], Freedom::Free | Freedom::Fixed);
        link.limited && free(link.row.a) && free(link.row.b) && self.yielding(&link.row) > 0.0
    }

    /// Square of the length aimed at [m²], while moving or, `strict`, when a step is judged.
    pub(super) fn limit2(&self, row: &Row, strict: bool) -> f64 {
        let limit = row.rest * if strict { self.strict_aim } else { self.aim };
        limit * limit
    }

    /// Sets the length of a substep [s], which the springs' strengths depend on.
    pub(super) fn set_substep(&mut self, h: f64) {
        for (quad, (stiffness, time)) in self.quads.iter_mut().zip(&self.laws) {
            for row in 0..4 {
                let c = stiffness[row] * h * h;
                let damping = time[row] / h;
                quad.spring[row] = c / (1.0 + c * (1.0 + damping));
                quad.damper[row] = quad.spring[row] * damping;
            }
        }
    }

    /// One sweep over everything: tethers, links four at a time, guided links.
    pub(super) fn sweep(&self, x: &[Lanes], q: &mut [Lanes], keep: f64, h: f64) {
        sweep(&self.near, x, q, keep);
        sweep(&self.quads, x, q, keep);
        for link in &self.guided {
            self.solve_guided(link, x, q, false, keep, h);
        }
    }

    /// One sweep that only shortens what is over the limit that a step is judged by.
    pub(super) fn sweep_strictly(&self, x: &[Lanes], q: &mut [Lanes]) {
        sweep(&self.strict, x, q, 0.0);
        for link in self.guided.iter().filter(|link| link.limited) {
            self.solve_guided(&Link { stiffness: 0.0, ..*link }, x, q, true, 0.0, 1.0);
        }
    }

    fn fill_quads(&mut self, swept: &[Link]) {
        self.quads.clear();
        self.strict.clear();
        self.laws.clear();
        let rows: Vec<Row> = swept.iter().map(|link| link.row).collect();
        for group in Colouring::of(&rows, self.w.len()).groups() {
            for four in group.chunks(4) {
                let mut quad = self.empty_quad();
                let mut law = ([0.0; 4], [0.0; 4]);
                for (lane, &number) in four.iter().enumerate() {
                    let link = &swept[number as usize];
                    let (row, yielding) = (&link.row, self.yielding(&link.row));
                    let limit2 = if link.limited { self.limit2(row, false) } else { UNLIMITED };
                    set_row(&mut quad, lane, [row.a, row.b], limit2, row.rest * row.rest);
                    quad.share_a[lane] = self.w[row.a as usize] / yielding;
                    quad.share_b[lane] = self.w[row.b as usize] / yielding;
                    law.0[lane] = link.stiffness * yielding;
                    law.1[lane] = link.damping_time;
                }
                self.quads.push(quad.clone());
                self.laws.push(law);
                for (lane, &number) in four.iter().enumerate() {
                    let Link { row, limited, .. } = &swept[number as usize];
                    let limit2 = if *limited { self.limit2(row, true) } else { UNLIMITED };
                    set_row(&mut quad, lane, [row.a, row.b], limit2, row.rest * row.rest);
                }
                self.strict.push(quad);
            }
        }
    }

    /// Chooses the tethers that may become tight in a step in which no particle is expected to move further than `reach`
    /// [m] towards or away from its pin. Tethers only help, so one missed does no harm.
    pub(super) fn choose_tethers(&mut self, x: &[Lanes], reach: f64) {
        self.near.clear();
        let empty = self.empty_quad();
        let (mut quad, mut filled) = (empty.clone(), 0);
        for tether in &self.tethers {
            let limit = tether.way * self.aim;
            let d = minus(x[tether.particle as usize], x[tether.pin as usize]);
            let near = (limit - reach).max(0.0);
            if dot(d, d) < near * near {
                continue;
            }
            // In a quad no particle may come twice: a second group of pins starts over at the first particle.
            let turned = filled > 0 && tether.particle <= quad.a[filled - 1];
            if filled == 4 || turned {
                self.near.push(quad);
                (quad, filled) = (empty.clone(), 0);
            }
            let ends = [tether.particle, tether.pin];
            set_row(&mut quad, filled, ends, limit * limit, tether.way * tether.way);
            quad.share_a[filled] = 1.0;
            filled += 1;
        }
        if filled > 0 {
            self.near.push(quad);
        }
    }

    /// Rows that do nothing, between the last particle, which is none, and itself.
    fn empty_quad(&self) -> Quad {
        let filler = [self.w.len() as u32 - 1; 4];
        Quad {
            a: filler,
            b: filler,
            share_a: [0.0; 4],
            share_b: [0.0; 4],
            limit2: [1.0; 4],
            half_per_limit2: [0.5; 4],
            half_per_rest2: [0.5; 4],
            spring: [0.0; 4],
            damper: [0.0; 4],
        }
    }

    /// A row with an end that is not free in all directions: as in the quads, with C e in place of e.
    fn solve_guided(&self, link: &Link, x: &[Lanes], q: &mut [Lanes], strict: bool, keep: f64, h: f64) {
        let (a, b) = (link.row.a as usize, link.row.b as usize);
        let (e, d) = (minus(x[b], x[a]), minus(q[b], q[a]));
        let response = |i: usize| {
            let filtered = self.held[i].filter(DVec3::new(e[0], e[1], e[2])) * self.w[i];
            [filtered.x, filtered.y, filtered.z, 0.0]
        };
        let (along_a, along_b) = (response(a), response(b));
        let yielding = dot(along_a, e) + dot(along_b, e);
        if !(yielding > 0.0) {
            return;
        }
        let (e2, d2, rest2) = (dot(e, e), dot(d, d), link.row.rest * link.row.rest);
        let limit2 = if link.limited { self.limit2(&link.row, strict) } else { UNLIMITED };
        let excess = 0.5 * (d2 - limit2 - keep * (e2 - limit2).max(0.0));
        let (now, before) = (0.5 * (d2 - rest2), 0.5 * (e2 - rest2));
        let (c, damping) = (link.stiffness * h * h * yielding / rest2, link.damping_time / h);
        let spring = c * (now + damping * (now - before)) / (1.0 + c * (1.0 + damping));
        let s = excess.max(spring).min(0.5 * e2).max(-0.5 * e2) / yielding;
        add_scaled(&mut q[a], along_a, s);
        add_scaled(&mut q[b], along_b, -s);
    }
}

fn set_row(quad: &mut Quad, lane: usize, [a, b]: [u32; 2], limit2: f64, rest2: f64) {
    quad.a[lane] = a;
    quad.b[lane] = b;
    quad.limit2[lane] = limit2;
    quad.half_per_limit2[lane] = 0.5 / limit2;
    quad.half_per_rest2[lane] = 0.5 / rest2;
}

/// Adds the model's linear springs: those of structural edges to their links, others as links without limit.
fn add_springs(model: &Model, links: &mut Vec<Link>) {
    let mut edges: Vec<(u32, u32, usize)> =
        links.iter().enumerate().map(|(number, link)| (link.row.a, link.row.b, number)).collect();
    edges.sort_unstable();
    for spring in model.springs.iter().filter(|spring| spring.rest > 0.0 && spring.stiffness > 0.0) {
        let damping_time = spring.damping / spring.stiffness;
        let known = edges.binary_search_by(|(a, b, _)| (*a, *b).cmp(&(spring.a, spring.b)));
        match known {
            Ok(at) if spring.kind == SpringKind::Stretch => {
                let link = &mut links[edges[at].2];
                (link.stiffness, link.damping_time) = (spring.stiffness, damping_time);
            }
            _ => links.push(Link {
                row: Row { a: spring.a, b: spring.b, rest: spring.rest },
                limited: false,
                stiffness: spring.stiffness,
                damping_time,
            }),
        }
    }
}

/// The cloths whose faces are all triangles: only there do cross edges stand for shear.
fn only_triangles(model: &Model) -> Model {
    let mut triangles = model.clone();
    triangles.cloths.retain(|part| part.mesh.faces.iter().all(|face| face.len() == 3));
    triangles
}
