import type { ExpectedExam, Link, LinkArrival } from '@hilum/contract/calls/link'
import { linkUndoMinutes, maxRequestNumber, megabyte, mostUploadMegabytes } from '@hilum/contract/limits'
import { type DateFormat, formatDate, formatStamp, parseStamp } from '../format/dates.ts'
import { nameText } from '../format/person-name.ts'
import { t } from '../labels/label.ts'
import { usePreferences } from '../session/preferences.ts'

/** A stamp in the person's own format and zone. */
export function useStamp(): (stamp: string) => string {
  const { dateFormat, timeZone } = usePreferences()
  return (stamp) => formatStamp(stamp, dateFormat, timeZone)
}

/** Whom a request asks; of what came by a share code who sent it, since nobody asked. */
export function requestTitle({ email, by_share_code: byCode, sender }: Link): string {
  if (byCode === 1) return sender ? t('requests.byCodeOf', { sender }) : t('requests.byCode')
  return email || t('requests.noEmail')
}

/** The person who asked, for which place and when; of what came by a share code its place alone. */
export function requestedText(request: Link, stamp: (text: string) => string): string {
  const { created_by_name: who, namespace_name: place, created, by_share_code: byCode } = request
  return t(byCode === 1 ? 'requests.codeOf' : 'requests.by', { who, place, when: stamp(created) })
}

/** State of a request, as a line of its card. */
export function requestStateText({ state, expires_at: expiresAt }: Link, stamp: (text: string) => string): string {
  if (state === 'open' || state === 'waiting' || state === 'used' || state === 'expired') {
    return t(`requests.state.${state}`, { when: stamp(expiresAt) })
  }
  return t(`requests.state.${state}`)
}

/** The images that have come so far by a request, in words. */
export function arrivalText({ arrivals }: Link): string {
  if (arrivals.length === 0) return t('requests.nothing')
  if (arrivals.some((one) => one.ended_at === null)) return t('requests.arriving')
  const [first] = arrivals.filter((one) => one.is_incomplete === 1)
  if (first && arrivals.length === 1) return incompleteText(first)
  if (first)
    return t('requests.someIncomplete', {
      count: arrivals.filter((one) => one.is_incomplete === 1).length,
      total: arrivals.length,
    })
  return t('requests.arrived', { count: arrivals.length })
}

/** How many images came of those that were announced, where no more come. */
export function incompleteText({ image_count: count, expected_count: total }: LinkArrival): string {
  return t('requests.incomplete', { count, total })
}

/** Whether nothing comes any more of something that lacks images. */
export function isIncomplete({ arrivals }: Link): boolean {
  return arrivals.some((one) => one.is_incomplete === 1)
}

/** Whether something came that may be another exam than the expected one. */
export function hasOtherExam({ arrivals }: Link): boolean {
  return arrivals.some(({ exam_differences: differences }) => differences.length > 0)
}

/** The facts in which an exam that came differs from the expected one, in words. */
export function examDifferenceTexts(arrival: LinkArrival | undefined): string[] {
  return (arrival?.exam_differences ?? []).map((one) => t(`requests.exam.${one}`))
}

/** The expected exam as a line: its date in the person's format, its modality and its words. */
export function expectedExamText(exam: ExpectedExam | null, dateOf: (date: string) => string): string {
  if (!exam) return ''
  return [exam.study_date && dateOf(exam.study_date), exam.modality, exam.study_description].filter(Boolean).join(' · ')
}

/** Patient and exam of a study that came, as a line; empty where the person may not see it. */
export function arrivedExamText(arrival: LinkArrival, dateFormat: DateFormat): string {
  const { patient_name: name, patient_birth_date: birthDate, modality, study_description: description } = arrival
  if (!arrival.study_id) return ''
  const shown = [
    nameText(name) || t('card.noName'),
    formatDate(birthDate, dateFormat),
    [modality, description].filter(Boolean).join(' '),
    formatDate(arrival.study_date, dateFormat),
  ]
  return shown.filter(Boolean).join(' · ')
}

/** How a request ended, as a line of its card: cancelled, fulfilled, with images that lack, or without anything. */
export function requestOutcomeText(link: Link, stamp: (text: string) => string): string {
  const when = link.ended_at ? stamp(link.ended_at) : ''
  if (link.state === 'ended') return t('requests.outcome.ended', { when })
  if (isIncomplete(link)) return t('requests.outcome.incomplete')
  if (link.arrivals.length > 0) return t('requests.outcome.fulfilled')
  return link.state === 'used' ? t('requests.outcome.used') : t('requests.outcome.expired', { when })
}

/** Whether something came that may be of another patient than the expected one. */
export function hasDifference({ arrivals }: Link): boolean {
  return arrivals.some(({ verdict }) => verdict === 'likely' || verdict === 'different')
}

/** Megabytes that a request may be given instead of those that it has mostly used; undefined while there is room. */
export function largerMegabytes({ max_bytes: most, stored_bytes: stored }: Link): number | undefined {
  const larger = Math.min(mostUploadMegabytes, Math.ceil((2 * most) / megabyte))
  return stored > most / 2 && larger * megabyte > most ? larger : undefined
}

/** Whether a cancelled request can still be brought back. */
export function mayRestore({ ended_at: endedAt }: Link, now: number = Date.now()): boolean {
  return now - (parseStamp(endedAt ?? '')?.getTime() ?? 0) < linkUndoMinutes * 60_000
}

const extendMinutes = 24 * 60

/** Minutes from now to a day behind the present end, or behind now where that has passed. */
export function extendedMinutes({ expires_at: expiresAt }: Link, now: number = Date.now()): number {
  const left = ((parseStamp(expiresAt)?.getTime() ?? 0) - now) / 60_000
  return Math.min(maxRequestNumber, Math.max(0, Math.round(left)) + extendMinutes)
}
