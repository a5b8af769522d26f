/** A body of ellipsoids in patient coordinates (millimetres; x to the left, y to the back, z to the head). */
export type Ellipsoid = {
  centre: readonly [x: number, y: number, z: number]
  radii: readonly [x: number, y: number, z: number]
  /** Later bodies lie inside earlier ones and replace their value. */
  value: number
}

/** Position of a pixel grid in space: the first pixel's centre and the steps along a row and down a column. */
type Grid = {
  rows: number
  columns: number
  origin: readonly number[]
  stepRight: readonly number[]
  stepDown: readonly number[]
}

/** Values of the phantom on a grid, `background` outside of it. */
export function sliceThrough(bodies: readonly Ellipsoid[], grid: Grid, background: number): Float32Array {
  const values = new Float32Array(grid.rows * grid.columns).fill(background)
  for (const body of bodies) paintBody(values, body, grid)
  return values
}

function paintBody(values: Float32Array, { centre, radii, value }: Ellipsoid, grid: Grid): void {
  // In coordinates scaled by the radii the body is the unit ball and a row is a straight line: it enters and leaves at
  // the roots of a quadratic, so that only the pixels inside are touched.
  const scaled = (vector: readonly number[]) => radii.map((radius, axis) => (vector[axis] ?? 0) / radius)
  const right = scaled(grid.stepRight)
  const a = dot(right, right)
  for (let row = 0; row < grid.rows; row += 1) {
    const start = radii.map((radius, axis) => {
      const at = (grid.origin[axis] ?? 0) + row * (grid.stepDown[axis] ?? 0)
      return (at - (centre[axis] ?? 0)) / radius
    })
    const b = dot(start, right)
    const discriminant = b * b - a * (dot(start, start) - 1)
    if (discriminant <= 0) continue
    const root = Math.sqrt(discriminant)
    const first = Math.max(0, Math.ceil((-b - root) / a))
    const last = Math.min(grid.columns - 1, Math.floor((-b + root) / a))
    if (first <= last) values.fill(value, row * grid.columns + first, row * grid.columns + last + 1)
  }
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, component, axis) => sum + component * (b[axis] ?? 0), 0)
}
