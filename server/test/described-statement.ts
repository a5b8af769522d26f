import pg from 'pg'

/** A column of a statement's answer, as PostgreSQL describes it before anything runs. */
export interface DescribedColumn {
  name: string
  type: string
  /** Null where nobody knows: columns that are computed. */
  isNullable: boolean | null
}

interface DescribedField {
  name: string
  tableID: number
  columnID: number
  dataTypeID: number
}

/** Has PostgreSQL parse a statement and describe its answer. @throws DatabaseError where the statement is wrong */
export async function describeColumns(client: pg.Client, text: string): Promise<DescribedColumn[]> {
  const fields = await describe(client, text)
  const { rows } = await client.query<{ type: string; is_nullable: boolean | null }>(
    `select format_type(coalesce(nullif(t.typbasetype, 0), t.oid), null) as type, not a.attnotnull as is_nullable
    from unnest($1::oid[], $2::oid[], $3::int[]) with ordinality as f (type, relation, number, place)
    join pg_type t on t.oid = f.type
    left join pg_attribute a on a.attrelid = f.relation and a.attnum = f.number
    order by f.place`,
    [fields.map((one) => one.dataTypeID), fields.map((one) => one.tableID), fields.map((one) => one.columnID)],
  )
  return fields.map(({ name }, at) => {
    const row = rows[at]
    if (!row) throw new Error(`PostgreSQL does not know the type of ${name}.`)
    return { name, type: row.type, isNullable: row.is_nullable }
  })
}

function describe(client: pg.Client, text: string): Promise<DescribedField[]> {
  return new Promise((resolve, reject) => {
    let fields: DescribedField[] = []
    const asked = {
      submit(connection: pg.Connection) {
        const wire = connection as unknown as Wire
        wire.parse({ name: '', text, types: [] }, true)
        wire.describe({ type: 'S', name: '' }, true)
        wire.sync()
      },
      handleRowDescription: (message: { fields: DescribedField[] }) => void (fields = message.fields),
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
      handleDataRow: () => undefined,
      handlePortalSuspended: () => undefined,
      handleCommandComplete: () => undefined,
      handleEmptyQuery: () => undefined,
    }
    client.query(asked as unknown as pg.Submittable)
  })
}

/** The part of a connection that `pg` has no types for. */
interface Wire {
  parse: (what: { name: string; text: string; types: number[] }, more: boolean) => void
  describe: (what: { type: 'S'; name: string }, more: boolean) => void
  sync: () => void
}
