/** Texts of the worklist, the grid over all groups. */
export const worklist = {
  'grid.title': 'Worklist',
  'grid.images': 'Images',
  'grid.columns': 'Columns',
  'grid.columnsFailed': 'The columns could not be saved. Please try again.',
  'grid.standardColumns': 'Standard columns',
  'grid.moveUp': 'Move {column} up',
  'grid.moveDown': 'Move {column} down',
  'grid.rows': 'Rows per page',
  'grid.rowsOf': '{count} rows',
} as const
