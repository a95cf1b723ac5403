//! From fabric to elements: stiffness in physical terms becomes springs, corners and hinges of a mesh.
//!
//! ```text
//! stretch     k = Y A_e / l0²      A_e: area the edge stands for (= tributary width × l0), Y membrane stiffness [N/m]
//! shear       diagonals k = G L²/(n A), corners k = G A/4    (shear γ stretches a diagonal of length L by γ A/L)
//! bending     hinge c = 4 B s |E|²/(|N1|+|N2|)   a strip of curvature κ then stores ½ B κ² per area; s: its fraction
//!             second neighbours k_b = ½ B w (they overlap twice), springs k = 576 k_b/l0³ (same energy at κ l0 = 1)
//! damping     k_d = β k, β from the ratio at the reference frequency
//! ```
//!
//! With these the same cloth behaves alike at any resolution. On triangles the mapping is exact for equilateral ones
//! (Van Gelder 1998 for stretch; Seung & Nelson 1988 for bending) and a good mean on irregular ones. Springs to the
//! second neighbour have no resistance to first order in the angle, so [BB08]'s bending depends on the mesh by nature.
//!
//! A hinge beside cloth that is pinned stands for a half as wide strip, since the pinned triangle cannot bend: its
//! stiffness counts only the free side. Without that a clamped strip would droop by 2 l0/L too much.

use glam::{DVec2, DVec3};

use super::areas::Areas;
use super::material::{Damping, Material};
use super::{ClothPart, Model};
use crate::forces::{AirTriangle, ChoiKo, Corner, Hinge, Spring, SpringKind, half_angle_sine};
use crate::mesh::ThreadDirection;

/// A sheet of fabric and the elements that stand for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Surface {
    /// The fabric.
    pub material: Material,
    /// How it resists shear.
    pub shear: Shear,
    /// How it resists bending.
    pub bending: Bending,
    /// Stiffness of weak springs on every edge and cross edge [N/m], the bending resistance of [JLGF17]; 0: none.
    pub weak_springs: f64,
    /// Folds sculpted into it as rest angles.
    pub folds: Vec<Fold>,
}

/// Elements that resist shear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shear {
    /// Linear springs on the mesh's diagonals.
    #[default]
    Diagonals,
    /// Angular springs at the corners of quads [YWG05].
    Corners,
}

/// Elements that resist bending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bending {
    /// Dihedral elements on pairs of triangles (Bridson et al. 2003).
    #[default]
    Hinges,
    /// Linear springs to the second neighbour [BB08].
    Springs,
    /// Connections to the second neighbour that buckle at once (Choi & Ko 2002, [Ye08]).
    ChoiKo,
}

/// A fold along a straight line of the rest shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fold {
    /// A point of the line, in texture coordinates.
    pub point: DVec2,
    /// The line's direction, in texture coordinates.
    pub direction: DVec2,
    /// Rest angle between the faces' normals [rad]; 0 is flat.
    pub angle: f64,
}

/// Adds the elements of one surface to a model under construction.
pub(super) struct Weaver<'a> {
    pub(super) surface: &'a Surface,
    pub(super) part: &'a ClothPart,
    pub(super) areas: &'a Areas,
    /// For each vertex: pinned from the start by a fixed pin.
    pub(super) pinned: &'a [bool],
}

impl Weaver<'_> {
    pub(super) fn weave(&self, model: &mut Model) {
        self.stretch(model);
        match self.surface.shear {
            Shear::Diagonals => self.shear_by_diagonals(model),
            Shear::Corners => self.shear_by_corners(model),
        }
        match self.surface.bending {
            Bending::Hinges => self.bend_by_hinges(model),
            Bending::Springs | Bending::ChoiKo => self.bend_by_second_neighbours(model),
        }
        self.weak_springs(model);
        self.air(model);
    }

    fn material(&self) -> &Material {
        &self.surface.material
    }

    fn particle(&self, vertex: u32) -> u32 {
        self.part.particles.start as u32 + vertex
    }

    fn at(&self, vertex: u32) -> DVec3 {
        self.part.mesh.positions[vertex as usize]
    }

    fn distance(&self, a: u32, b: u32) -> f64 {
        self.at(a).distance(self.at(b))
    }

    fn spring(&self, a: u32, b: u32, stiffness: f64, ratio: f64, kind: SpringKind) -> Spring {
        let damping = Damping::time(ratio) * stiffness;
        Spring { a: self.particle(a), b: self.particle(b), rest: self.distance(a, b), stiffness, damping, kind }
    }

    fn stretch(&self, model: &mut Model) {
        let material = self.material();
        for edge in &self.part.topology.edges {
            let membrane = match edge.direction {
                ThreadDirection::Warp => material.stretch_warp,
                ThreadDirection::Weft => material.stretch_weft,
                ThreadDirection::Bias => 0.5 * (material.stretch_warp + material.stretch_weft),
            };
            let rest = self.distance(edge.a, edge.b);
            if membrane > 0.0 && rest > 0.0 {
                let stiffness = membrane * self.areas.edge(edge.a, edge.b) / (rest * rest);
                model.springs.push(self.spring(
                    edge.a,
                    edge.b,
                    stiffness,
                    material.damping.stretch,
                    SpringKind::Stretch,
                ));
            }
        }
    }

    fn shear_by_diagonals(&self, model: &mut Model) {
        let material = self.material();
        if material.shear == 0.0 {
            return;
        }
        for &[a, b] in &self.part.topology.diagonals {
            let Some((area, count)) = self.areas.cell(a, b) else { continue };
            let stiffness = material.shear * self.at(a).distance_squared(self.at(b)) / (f64::from(count) * area);
            model.springs.push(self.spring(a, b, stiffness, material.damping.shear, SpringKind::Shear));
        }
    }

    fn shear_by_corners(&self, model: &mut Model) {
        let material = self.material();
        if material.shear == 0.0 {
            return;
        }
        for corner in &self.part.topology.corners {
            // The two ends of a corner's sides are a diagonal of its quad.
            let Some((area, _)) = self.areas.cell(corner[0], corner[1]) else { continue };
            let stiffness = 0.25 * material.shear * area;
            let damping = Damping::time(material.damping.shear) * stiffness;
            model.corners.push(Corner { particles: corner.map(|i| self.particle(i)), stiffness, damping });
        }
    }

    fn bend_by_hinges(&self, model: &mut Model) {
        let material = self.material();
        if material.bending == 0.0 {
            return;
        }
        let folded = self.folded_hinges();
        for (place, fold) in self.part.topology.bending.iter().zip(folded) {
            let hinge = place.vertices;
            let x = hinge.map(|i| self.at(i));
            let edge = x[3] - x[2];
            let normals = [(x[0] - x[2]).cross(x[0] - x[3]).length(), (x[1] - x[3]).cross(x[1] - x[2]).length()];
            let free = [0, 1].map(|k| ![hinge[k], hinge[2], hinge[3]].iter().all(|&i| self.pinned[i as usize]));
            let free_normals: f64 = normals.iter().zip(free).filter(|(_, free)| *free).map(|(normal, _)| normal).sum();
            if free_normals == 0.0 {
                continue;
            }
            let stiffness = 4.0 * place.fraction * material.bending * edge.length_squared() / free_normals;
            let rest_sine = fold.or_else(|| half_angle_sine(&x)).unwrap_or(0.0);
            let damping = Damping::time(material.damping.bending) * 0.5 * stiffness;
            model.hinges.push(Hinge { particles: hinge.map(|i| self.particle(i)), stiffness, rest_sine, damping });
        }
    }

    /// For each hinge, sin(θ0/2) of the fold it lies on. A fold takes the line of edges nearest to it.
    fn folded_hinges(&self) -> Vec<Option<f64>> {
        let hinges: Vec<[u32; 4]> = self.part.topology.bending.iter().map(|place| place.vertices).collect();
        let mut rest_sines = vec![None; hinges.len()];
        let Some(uv) = self.vertex_uvs() else { return rest_sines };
        for fold in &self.surface.folds {
            let direction = fold.direction.normalize();
            let signed_distance = |hinge: &[u32; 4]| {
                let (from, to) = (uv[hinge[2] as usize], uv[hinge[3] as usize]);
                let aligned = (to - from).normalize_or_zero().perp_dot(direction).abs() < 0.17;
                aligned.then(|| direction.perp_dot(0.5 * (from + to) - fold.point))
            };
            let nearest = hinges
                .iter()
                .filter_map(signed_distance)
                .min_by(|a, b| (a.abs(), *a).partial_cmp(&(b.abs(), *b)).expect("finite"));
            for (hinge, rest_sine) in hinges.iter().zip(&mut rest_sines) {
                if let (Some(distance), Some(nearest)) = (signed_distance(hinge), nearest)
                    && (distance - nearest).abs() < 1e-9
                {
                    *rest_sine = Some(libm::sin(0.5 * fold.angle));
                }
            }
        }
        rest_sines
    }

    fn vertex_uvs(&self) -> Option<Vec<DVec2>> {
        let mesh = &self.part.mesh;
        let map = mesh.uvs.as_ref()?;
        let mut uvs = vec![DVec2::ZERO; mesh.positions.len()];
        for (face, corners) in mesh.faces.iter().zip(&map.corners) {
            for (&vertex, &corner) in face.iter().zip(corners) {
                uvs[vertex as usize] = map.coords[corner as usize];
            }
        }
        Some(uvs)
    }

    fn bend_by_second_neighbours(&self, model: &mut Model) {
        let material = self.material();
        if material.bending == 0.0 {
            return;
        }
        for &[a, middle, b] in &self.part.topology.bend_pairs {
            let width = 0.5 * (self.width(a, middle) + self.width(middle, b));
            let rest = self.distance(a, b);
            let bending = 0.5 * material.bending * width;
            if self.surface.bending == Bending::ChoiKo {
                let time = Damping::time(material.damping.bending);
                model.choi_ko.push(ChoiKo::new(self.particle(a), self.particle(b), rest, bending, time));
            } else {
                let stiffness = 576.0 * bending / (rest * rest * rest);
                model.springs.push(self.spring(a, b, stiffness, material.damping.bending, SpringKind::Bending));
            }
        }
    }

    /// Tributary width of an edge [m].
    fn width(&self, a: u32, b: u32) -> f64 {
        self.areas.edge(a, b) / self.distance(a, b).max(f64::MIN_POSITIVE)
    }

    fn weak_springs(&self, model: &mut Model) {
        let stiffness = self.surface.weak_springs;
        if stiffness == 0.0 {
            return;
        }
        let edges = self.part.topology.edges.iter().map(|edge| [edge.a, edge.b]);
        for [a, b] in edges.chain(self.part.topology.cross_edges()) {
            model.springs.push(self.spring(a, b, stiffness, self.material().damping.bending, SpringKind::Bending));
        }
    }

    fn air(&self, model: &mut Model) {
        let Material { drag, skin_drag, .. } = *self.material();
        if drag == 0.0 && skin_drag == 0.0 {
            return;
        }
        let triangles = self.part.topology.triangles.iter();
        model.air_triangles.extend(triangles.map(|triangle| AirTriangle {
            particles: triangle.map(|i| self.particle(i)),
            drag,
            skin_drag,
        }));
    }
}
