import type { ShareInForce } from '@hilum/contract/calls/study-share'
import { formatStamp } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { usePreferences } from '../../session/preferences.ts'
import { Banner } from '../../ui/banner.tsx'
import { examText } from './share-words.ts'
import style from './share.module.css'
import type { Study } from '@hilum/contract/entities/study'

/** Sharing one exam with one recipient who had it already, or was to have it. */
interface SharedAgain {
  study: Study
  name: string
  share: ShareInForce
}

/** Results of sharing by what was done: those that gave something, and those that found an earlier share. */
export function splitAgain<R extends { failure: unknown; share: ShareInForce | undefined }>(results: readonly R[]) {
  const done = results.filter(({ failure }) => !failure)
  return {
    made: done.filter(({ share }) => share?.is_new !== 0),
    again: done.flatMap((one) => (one.share?.is_new === 0 ? [{ ...one, share: one.share }] : [])),
  }
}

/** Tells of each recipient who had the exam already what became different, and what holds now. */
export function AgainBanner({ again }: { again: readonly SharedAgain[] }) {
  const { dateFormat, timeZone } = usePreferences()
  if (again.length === 0) return null
  const stamp = (moment: string) => formatStamp(moment, dateFormat, timeZone)
  const isMany = new Set(again.map(({ study }) => study.uuid)).size > 1
  return (
    <Banner tone="neutral">
      <ul className={style.lines}>
        {again.map(({ study, name, share }) => (
          <li key={share.uuid}>
            {isMany && `${examText(study, dateFormat)}: `}
            {againText(name, share, stamp)}
          </li>
        ))}
      </ul>
    </Banner>
  )
}

function againText(name: string, share: ShareInForce, stamp: (moment: string) => string): string {
  const { changed, left_out: leftOut, run_at: runAt, expires_at: end } = share
  const isMoved = changed.includes('moment')
  const first = runAt
    ? t(isMoved ? 'again.moved' : 'again.waits', { name, when: stamp(runAt) })
    : t(isMoved ? 'again.sent' : 'again.has', { name })
  const hasNewEnd = changed.includes('end')
  const ends = end ? t(hasNewEnd ? 'again.newEnd' : 'again.end', { when: stamp(end) }) : hasNewEnd && t('again.noEnd')
  const others = (['attachments', 'message', 'customfields'] as const).filter((one) => changed.includes(one))
  const isSame = changed.length === 0 && !leftOut.includes('delay') && t('again.same')
  const texts = [...others.map((one) => t(`again.${one}`)), ...leftOut.map((one) => t(`again.leftOut.${one}`))]
  return [first, isSame, ends, ...texts].filter(Boolean).join(' ')
}
