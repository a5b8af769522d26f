const atOnce = 1000

/** All rows of a list of the server, page after page, in the server's order. */
export async function wholeList<Row>(
  ask: (page: {
    'page.rows': number
    'page.number': number
  }) => Promise<{ rows: readonly Row[]; page: { more: number } }>,
): Promise<Row[]> {
  const all: Row[] = []
  for (let number = 1; ; number += 1) {
    const { rows, page } = await ask({ 'page.rows': atOnce, 'page.number': number })
    all.push(...rows)
    if (page.more !== 1) return all
  }
}
