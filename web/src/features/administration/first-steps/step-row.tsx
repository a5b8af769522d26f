import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatStamp } from '../../../format/dates.ts'
import { t } from '../../../labels/label.ts'
import { type FirstStep, type FirstSteps, useTestMail } from '../../../queries/first-steps.ts'
import { usePreferences } from '../../../session/preferences.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { Banner } from '../../../ui/banner.tsx'
import { StatusPill } from '../../../ui/status-icon.tsx'
import style from './first-steps.module.css'

interface StepProps {
  found: FirstSteps
  isDone: boolean
}

/** A step with its state in words, and where it is done. */
export function StepRow({ step, isDone, found }: StepProps & { step: FirstStep }) {
  const Step = parts[step]
  return (
    <li className={style.step} aria-label={t(`firstSteps.${step}.title`)}>
      <StatusPill status={isDone ? 'completed' : 'queued'} label={t(isDone ? 'firstSteps.done' : 'firstSteps.open')} />
      <Step found={found} isDone={isDone} />
    </li>
  )
}

function Part({ step, lines, children }: { step: FirstStep; lines: readonly string[]; children?: ReactNode }) {
  return (
    <>
      <div aria-live={step === 'study' ? 'polite' : undefined}>
        <h3>{t(`firstSteps.${step}.title`)}</h3>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      <div className={style.acts}>{children}</div>
    </>
  )
}

const parts: Readonly<Record<FirstStep, (props: StepProps) => ReactNode>> = {
  name: NameStep,
  self: SelfStep,
  group: GroupStep,
  people: PeopleStep,
  sender: SenderStep,
  mail: MailStep,
  certificate: CertificateStep,
  study: StudyStep,
}

function NameStep({ isDone }: StepProps) {
  const { account } = useEstablished()
  const line = isDone ? t('firstSteps.name.done', { name: account.name }) : t('firstSteps.name.open')
  return (
    <Part step="name" lines={[line]}>
      <PageButton to="/administration/organisation" isDone={isDone}>
        {t('firstSteps.name.act')}
      </PageButton>
    </Part>
  )
}

function SelfStep({ isDone }: StepProps) {
  return (
    <Part step="self" lines={[t(isDone ? 'firstSteps.self.done' : 'firstSteps.self.open')]}>
      <PageButton to="/account-settings" isDone={isDone}>
        {t('firstSteps.self.act')}
      </PageButton>
    </Part>
  )
}

function GroupStep({ found, isDone }: StepProps) {
  const { group_count: count, unattended_groups: names } = found
  const open = names.length > 0 && t('firstSteps.group.unattended', { names: names.join(', ') })
  const line = open || (count === 0 ? t('firstSteps.group.none') : t('firstSteps.group.done', { count }))
  return (
    <Part step="group" lines={[line]}>
      <PageButton to="/administration/groups" isDone={isDone}>
        {t('firstSteps.group.act')}
      </PageButton>
    </Part>
  )
}

function PeopleStep({ found, isDone }: StepProps) {
  const { people_count: count, invited_count: invited } = found
  const lines = [
    isDone ? t('firstSteps.people.done', { count }) : t('firstSteps.people.open'),
    ...(invited > 0 ? [t('firstSteps.people.invited', { count: invited })] : []),
  ]
  return (
    <Part step="people" lines={lines}>
      <PageButton to="/administration/users" isDone={isDone}>
        {t('firstSteps.people.act')}
      </PageButton>
    </Part>
  )
}

function SenderStep({ found, isDone }: StepProps) {
  const { titles, dicom_host: host, dicom_is_local: isLocal, dicom_port: port } = found
  const lines = titles.map(({ group_name: group, ae_title: title, senders }) =>
    senders.length > 0
      ? t('firstSteps.sender.done', { group, title, senders: senders.join(', ') })
      : t('firstSteps.sender.local', { group, title }),
  )
  const open = port > 0 ? [t('firstSteps.sender.port', { host: host || location.hostname, port })] : []
  const address = isLocal === 1 ? [t('firstSteps.sender.closed', { host })] : open
  return (
    <Part step="sender" lines={titles.length > 0 ? [...lines, ...address] : [t('firstSteps.sender.noTitle')]}>
      <PageButton to="/administration/groups" isDone={isDone}>
        {t('firstSteps.sender.act')}
      </PageButton>
    </Part>
  )
}

function MailStep({ found }: StepProps) {
  const { account } = useEstablished()
  const test = useTestMail(account.uuid)
  const hasServer = found.has_smtp === 1
  return (
    <Part step="mail" lines={[mailLine(found)]}>
      {test.isError && <Banner tone="failed">{t('firstSteps.mail.testFailed')}</Banner>}
      {hasServer ? (
        <Button
          variant="default"
          size="xs"
          loading={test.isPending || found.mail.state === 'waiting'}
          onClick={() => test.mutate()}
        >
          {t('firstSteps.mail.act')}
        </Button>
      ) : (
        <PageButton to="/administration/outbox" isDone>
          {t('firstSteps.mail.outbox')}
        </PageButton>
      )}
    </Part>
  )
}

function mailLine({ has_smtp: hasServer, mail: { state, recipient, error } }: FirstSteps): string {
  if (hasServer === 0) return t('firstSteps.mail.noServer')
  switch (state) {
    case 'none':
      return t('firstSteps.mail.untested')
    case 'waiting':
      return t('firstSteps.mail.waiting', { recipient })
    case 'failed':
      return t('firstSteps.mail.failed', { error })
    case 'sent':
      return t('firstSteps.mail.done', { recipient })
  }
}

function CertificateStep({ found: { certificate }, isDone }: StepProps) {
  const { kind, ends } = certificate
  const line =
    kind === 'files'
      ? t(isDone ? 'firstSteps.certificate.files' : 'firstSteps.certificate.ended', { ends })
      : t(`firstSteps.certificate.${kind}`)
  return <Part step="certificate" lines={[line]} />
}

function StudyStep({ found: { study }, isDone }: StepProps) {
  const { dateFormat, timeZone } = usePreferences()
  if (!study) {
    return (
      <Part step="study" lines={[t('firstSteps.study.open')]}>
        <PageButton to="/study/upload" isDone={isDone}>
          {t('firstSteps.study.act')}
        </PageButton>
      </Part>
    )
  }
  const { place_name: place, ae_title: title } = study
  const when = formatStamp(study.arrived, dateFormat, timeZone)
  const lines = [t('firstSteps.study.done', { place, when }), ...(title ? [t('firstSteps.study.from', { title })] : [])]
  return (
    <Part step="study" lines={lines}>
      <Button
        size="xs"
        renderRoot={(props) => <Link {...props} to="/group/$groupId/{-$state}" params={{ groupId: study.group_id }} />}
      >
        {t('firstSteps.study.see', { place })}
      </Button>
    </Part>
  )
}

type StepPage =
  | '/account-settings'
  | '/administration/organisation'
  | '/administration/groups'
  | '/administration/users'
  | '/administration/outbox'
  | '/study/upload'

/** Leads to the page of a step: the strong one while the step is open. */
function PageButton({ to, isDone, children }: { to: StepPage; isDone: boolean; children: ReactNode }) {
  return (
    <Button size="xs" variant={isDone ? 'default' : 'filled'} renderRoot={(props) => <Link {...props} to={to} />}>
      {children}
    </Button>
  )
}
