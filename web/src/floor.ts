/** The floor: takes the shadow and fades into the background. */

import { CircleGeometry, Mesh, MeshStandardMaterial } from "three";
import { fadingDisc } from "./textures";
import type { Theme } from "./theme";

/** A disc at a height [m], around a point, of a radius [m]. */
export class Floor {
  readonly object: Mesh;
  private readonly material = new MeshStandardMaterial({
    roughness: 1,
    transparent: true,
    alphaMap: fadingDisc(),
    // What stands on the floor may touch it, solids too.
    polygonOffset: true,
    polygonOffsetFactor: 4,
    polygonOffsetUnits: 4,
    depthWrite: false,
  });

  constructor(x: number, height: number, z: number, radius: number) {
    this.object = new Mesh(new CircleGeometry(radius, 64), this.material);
    this.object.rotation.x = -Math.PI / 2;
    this.object.position.set(x, height, z);
    this.object.receiveShadow = true;
  }

  setTheme(theme: Theme): void {
    this.material.color.set(theme.floor);
  }
}
