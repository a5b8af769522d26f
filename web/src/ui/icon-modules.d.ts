/** The package types its index only; each of its icon files has this one shape. */
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  import type { TablerIcon } from '@tabler/icons-react'
  const icon: TablerIcon
  // eslint-disable-next-line import/no-default-export -- the shape of the package's files
  export default icon
}
