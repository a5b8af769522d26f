import { t } from '../../../labels/label.ts'
import type { OutsideAccess } from '../../../queries/outside-access.ts'
import { DatedText } from '../../../ui/dated-text.tsx'
import type { GridColumn } from '../../../ui/data-grid.tsx'
import style from './outside.module.css'
import { accessHolderText, patientsText, whatText } from './outside-words.ts'

interface CellWords {
  /** Address of the exam of an access. */
  addressOf: (access: OutsideAccess) => string | undefined
  /** Dates of exams and moments of accesses in words. */
  day: (date: string) => string
  moment: (stamp: string | null) => string
}

/** @param hasGivers shows who gave each access */
export function columnsOfAccess(
  { addressOf, day, moment }: CellWords,
  hasGivers: boolean,
): GridColumn<OutsideAccess>[] {
  const stamp = (text: string) => <span className={style.stamp}>{text}</span>
  return [
    {
      key: 'what',
      title: t('outside.what'),
      sort: 'namespace_name',
      isName: true,
      cell: (one) => (
        <>
          <ExamName name={whatText(one)} address={one.study_count === 1 ? addressOf(one) : undefined} />
          {patientsText(one) && (
            <p className={style.more}>
              <bdi>{patientsText(one)}</bdi>
            </p>
          )}
          {one.study_id && one.study_count === 1 && (
            <p className={style.more}>
              <DatedText>{[one.study_description, day(one.study_date)].filter(Boolean).join(' · ')}</DatedText>
            </p>
          )}
          {one.right !== 'upload' && <p className={style.more}>{one.namespace_name}</p>}
        </>
      ),
    },
    {
      key: 'who',
      title: t('outside.who'),
      sort: 'who',
      cell: (one) => (
        <>
          <bdi>{accessHolderText(one)}</bdi>
          <p className={style.more}>
            {[t(`outside.kind.${one.kind}`), isOfOthers(one) && t('outside.outsideMark')].filter(Boolean).join(' · ')}
          </p>
        </>
      ),
    },
    {
      key: 'right',
      title: t('outside.right'),
      cell: (one) => (
        <>
          {t(`outside.right.${one.right}`)}
          {one.attachments === 1 && <p className={style.more}>{t('outside.files')}</p>}
          {one.has_copy === 1 && one.kind !== 'copy' && <p className={style.more}>{t('outside.hasCopy')}</p>}
          {one.state !== 'open' && <p className={style.more}>{t(`outside.state.${one.state}`)}</p>}
        </>
      ),
    },
    ...(hasGivers
      ? [{ key: 'by', title: t('outside.by'), sort: 'by_name', cell: (one: OutsideAccess) => <bdi>{one.by_name}</bdi> }]
      : []),
    { key: 'since', title: t('outside.since'), sort: 'created', cell: (one) => stamp(moment(one.created)) },
    {
      key: 'until',
      title: t('outside.until'),
      sort: 'expires_at',
      cell: (one) => stamp(one.expires_at === null ? t('outside.endless') : moment(one.expires_at)),
    },
    {
      key: 'used',
      title: t('outside.used'),
      cell: (one) => stamp(one.used_at === null ? t('outside.never') : moment(one.used_at)),
    },
  ]
}

/** Whether people of another organisation have the access; everybody is outside whom an address lets in. */
function isOfOthers({ kind, is_outside }: OutsideAccess): boolean {
  return !['link', 'request', 'code'].includes(kind) && is_outside === 1
}

function ExamName({ name, address }: { name: string; address: string | undefined }) {
  return address ? (
    <a className={style.exam} href={address}>
      <bdi>{name}</bdi>
    </a>
  ) : (
    <bdi>{name}</bdi>
  )
}
