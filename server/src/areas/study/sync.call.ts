import { mayDo } from '@hilum/contract/acts'
import { studySync } from '@hilum/contract/calls/study'
import { syncRepeatSeconds } from '@hilum/contract/limits'
import type { Handler } from '../handler.ts'
import { completeStudy } from '../ingest/complete-study.command.ts'
import { findLastSync, noteExpected } from './sync.sql.ts'

export const sync: Handler<typeof studySync> = async ({ services, input, on, fail }) => {
  const isOpen = input.image_count !== undefined && mayDo(studySync.asks['a number of images'], on)
  if (!isOpen && !mayDo(studySync.asks['no number of images'], on)) throw fail('NOT_PERMITTED')
  const expected = sumOf(input.image_count)
  if (expected === undefined) throw fail('INVALID_INTEGER', { subtype: 'image_count' })
  await services.db.transaction().execute(async (tx) => {
    const last = await findLastSync(tx, on.record)
    if (last && last.seconds_ago < syncRepeatSeconds && !last.has_changed) throw fail('BLOCKED')
    // a client may send too small a number (one public client always sends 1), so a number only ever asks for more
    await noteExpected(tx, on.record, expected)
    await completeStudy(tx, on.record, new Date())
  })
  services.events.ring()
  return {}
}

const maxImages = 2 ** 31 - 1

/** `12`, or a list with a count for each series: `[4, 8]`, `4,8`; undefined of anything else. */
function sumOf(sent = ''): number | undefined {
  if (!/^\s*\[?(\s*\d{1,9}\s*,)*\s*(\d{1,9}\s*)?\]?\s*$/.test(sent)) return undefined
  const numbers = sent.match(/\d+/g) ?? []
  return Math.min(
    maxImages,
    numbers.reduce((sum, number) => sum + Number(number), 0),
  )
}
