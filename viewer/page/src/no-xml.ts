/**
 * Stands for `xmlbuilder2` in the build: vtk.js reads and writes meshes as XML with it, which this page never does, and the
 * real one needs parts of Node (`events`, `url`) and 150 KB.
 */
export function create(): never {
  throw new Error('The quick viewer reads no XML meshes')
}

export const convert = create
