import { type Kysely, sql } from 'kysely'

/**
 * MRNs and issuers as they are compared (`foldId` in dicom/src/fold-id.ts): one form of case, width and hyphen, without
 * blanks at their ends and characters that nobody sees. The index serves the holders of an MRN and related studies.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const hyphens =
  '\\058a\\05be\\1400\\1806\\2010\\2011\\2012\\2013\\2014\\2015\\2043\\2053\\2212\\2e17\\2e1a\\2e3a\\2e3b\\2e40\\301c\\3030\\30a0\\30fc'
const unseen = [
  '\\00ad\\034f\\061c\\115f\\1160\\17b4\\17b5\\180b\\180c\\180d\\180e\\180f\\200b\\200c\\200d\\200e\\200f',
  '\\202a\\202b\\202c\\202d\\202e\\2060\\2061\\2062\\2063\\2064\\2065\\2066\\2067\\2068\\2069\\206a\\206b\\206c\\206d\\206e\\206f',
  '\\3164\\fe00\\fe01\\fe02\\fe03\\fe04\\fe05\\fe06\\fe07\\fe08\\fe09\\fe0a\\fe0b\\fe0c\\fe0d\\fe0e\\fe0f\\feff',
].join('')
const blanks = '\\0009\\000a\\000b\\000c\\000d\\0020\\1680\\2028\\2029'

const statements = [
  `create function folded_id(id text) returns text language sql immutable strict parallel safe
    return lower(upper(btrim(
      translate(normalize(id, nfkc), U&'${hyphens}${unseen}', '${'-'.repeat(hyphens.length / 5)}'),
      U&'${blanks}'
    )))`,
  `create index study_by_folded_mrn on study (folded_id(patientid), account_uuid)`,
]
