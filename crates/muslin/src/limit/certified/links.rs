//! What joins the particles of a model: limited rows, and springs.

use super::super::rows::{Row, cross_rows, edge_rows};
use crate::forces::SpringKind;
use crate::model::Model;

/// What a row does.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    /// Its ends.
    pub(super) row: Row,
    /// True: its length is limited.
    pub(super) limited: bool,
    /// Stiffness of its spring k [N/m]; 0: none.
    pub(super) stiffness: f64,
    /// Damping time of its spring τ [s].
    pub(super) damping_time: f64,
}

/// The links of a model: limits of all structural edges (and of cross edges on triangle meshes), and, `with_springs`, its
/// linear springs.
pub(super) fn links(model: &Model, with_springs: bool) -> Vec<Link> {
    let bare = |row| Link { row, limited: true, stiffness: 0.0, damping_time: 0.0 };
    let mut links: Vec<Link> = edge_rows(model).into_iter().map(bare).collect();
    if with_springs {
        add_springs(model, &mut links);
    }
    links.extend(cross_rows(&only_triangles(model)).into_iter().map(bare));
    links
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
