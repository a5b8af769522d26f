import { studyApprove } from '@hilum/contract/calls/study-approval'
import type { Study } from '@hilum/contract/entities/study'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../api/api-failure.ts'
import { nameText } from '../../format/person-name.ts'
import { t } from '../../labels/label.ts'
import { type DecisionResult, isWaiting, useDecide } from '../../queries/approvals.ts'
import { accessQuery } from '../../queries/shares.ts'
import { mayCallOnAll } from '../../session/use-may.ts'
import { putNotice } from '../../state/notices.ts'
import { Banner } from '../../ui/banner.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { failureText } from './act-failure.tsx'
import { receivedText } from './share-words.ts'
import style from './acts.module.css'
import panel from './exam-panel.module.css'

interface ApprovalBannerProps {
  studies: readonly Study[]
  /** All that was rejected is gone from here. */
  onRejected?: () => void
}

/** A study or share that waits for approval, for those who may approve: its sender, Approve and Reject. */
export function ApprovalBanner({ studies, onRejected }: ApprovalBannerProps) {
  const [isAsking, setAsking] = useState(false)
  const decide = useDecide((results, { isApproved }) => {
    const done = results.filter(({ failure }) => !failure)
    if (done.length === 0) return
    setAsking(false)
    putNotice(t(isApproved ? 'approval.approved' : 'approval.rejected', { count: done.length }))
    if (!isApproved && done.length === studies.length && done.every(({ study }) => study.must_approve)) onRejected?.()
  })
  const failed = decide.data?.filter(({ failure }) => failure) ?? []
  const [first] = studies
  const mayApprove = mayCallOnAll(
    studyApprove,
    studies.map(({ permissions }) => permissions),
  )
  if (!first || !mayApprove || !studies.every(isWaiting)) return null
  const isWhole = studies.every(({ must_approve }) => must_approve === 1)
  const ask = () => {
    decide.reset()
    setAsking(true)
  }
  const failures = (
    <>
      {decide.isError && <Banner tone="failed">{failureText(decide.error)}</Banner>}
      {failed.length > 0 && (
        <Banner tone="failed">
          {failed.map((one) => (
            <span key={one.study.uuid} className={style.reason}>
              {failedLine(one)}
            </span>
          ))}
        </Banner>
      )}
    </>
  )
  return (
    <div className={panel.banners}>
      <Banner
        tone="priority"
        action={
          <span className={style.choices}>
            <Button
              size="compact-sm"
              loading={decide.isPending && decide.variables.isApproved}
              disabled={decide.isPending}
              onClick={() => decide.mutate({ studies, isApproved: true, message: '' })}
            >
              {t('approval.approve')}
            </Button>
            <Button variant="default" size="compact-sm" disabled={decide.isPending} onClick={ask}>
              {t('approval.reject')}
            </Button>
          </span>
        }
      >
        {t(isWhole ? 'approval.waits' : 'approval.waitsBeside', { count: studies.length })}
        {studies.length === 1 && <Senders study={first} />}
      </Banner>
      {!isAsking && failures}
      {isAsking && (
        <ReasonDialog
          title={t('approval.rejectTitle', { count: studies.length })}
          text={t('approval.rejectText')}
          label={t('approval.reason')}
          hint={t('approval.reasonHint')}
          button={t('approval.reject')}
          isPending={decide.isPending}
          onClose={() => setAsking(false)}
          onConfirm={(message) => decide.mutate({ studies, isApproved: false, message })}
        >
          {failures}
        </ReasonDialog>
      )}
    </div>
  )
}

/** The sender of a waiting share with the sender's words, and whoever sent an exam that waits by a request or a share code. */
function Senders({ study }: { study: Study }) {
  const { data } = useQuery(accessQuery(study.uuid))
  const waiting = data?.received.filter(({ awaits_approval: waits }) => waits) ?? []
  const sentBy = study.must_approve === 1 ? (data?.sent_by ?? []) : []
  const sharers = waiting.map((one) => (
    <span key={`${one.by_name} ${one.from_name} ${one.delivered_at}`} className={style.reason}>
      {receivedText(one)}
      {one.message && (
        <>
          {' '}
          <q>{one.message}</q>
        </>
      )}
    </span>
  ))
  return (
    <>
      {sharers}
      {sentBy.map(({ sender: who, by_share_code: byCode, requested_by: asker }) => (
        <span key={`${who} ${byCode} ${asker}`} className={style.reason}>
          {t(byCode === 1 ? 'approval.sentByCode' : 'approval.sentByRequest', { who, asker })}
        </span>
      ))}
    </>
  )
}

function failedLine({ study, failure }: DecisionResult): string {
  const name = nameText(study.patient_name) || t('card.noName')
  return t('share.failedItem', { name, reason: reasonOf(failure) })
}

function reasonOf(failure: unknown): string {
  const subtype = failure instanceof ApiFailure ? failure.subtype : undefined
  if (subtype === 'approved') return t('approval.reason.approved')
  if (subtype === 'hold') return t('delete.reason.hold')
  if (subtype === 'frozen') return t('delete.reason.frozen')
  return failureText(failure)
}
