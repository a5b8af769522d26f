/** Texts of the worklist, the grid over all groups. */
export const worklist = {
  'grid.title': 'Worklist',
  'grid.images': 'Images',
  'grid.columns': 'Columns',
  'grid.studyDate': 'Exam date',
  'grid.outside': '{number} · {words}',
  'grid.anyDate': 'Any exam date',
  'grid.widthOf': 'Width of {column}',
  'grid.widthOfContent': 'as wide as its content',
  'grid.widthPx': '{width} pixels',
  'grid.widthHint': 'Drag to change the width; press twice for the width of the content',
  'grid.columnsFailed': 'The columns could not be saved. Please try again.',
  'grid.standardColumns': 'Standard columns',
  'grid.moveUp': 'Move {column} up',
  'grid.moveDown': 'Move {column} down',
  'grid.rows': 'Rows per page',
  'grid.rowsOf': '{count} rows',
} as const
