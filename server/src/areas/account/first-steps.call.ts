import { X509Certificate } from 'node:crypto'
import { type accountFirstSteps, type FirstStep, firstStepNames } from '@hilum/contract/calls/account-first-steps'
import { findCertificate } from '../../certificate.ts'
import { type Config, ConfigError } from '../../config.ts'
import type { Handler } from '../handler.ts'
import { mailTestText } from '../mail/mail-texts.ts'
import { aeTitleSetting, allowedPeersSetting, listPeerWords } from '../node/peer-rules.ts'
import { isLocalHost, reachedHost } from '../node/listener-host.ts'
import { findArrivedStudy, findLastMail, findSetUpFigures, listCalledGroups } from './first-steps.sql.ts'
import { firstOrganisation } from './first-organisation.ts'

export const firstSteps: Handler<typeof accountFirstSteps> = async ({ services, on, caller, fail }) => {
  const { db, config } = services
  const figures = await findSetUpFigures(db, on.ownerUuid, caller.userUuid)
  if (!figures) throw fail('NOT_FOUND')
  const called = await listCalledGroups(db, on.ownerUuid, { title: aeTitleSetting, peers: allowedPeersSetting })
  const titles = called.map(({ peers, ...group }) => ({ ...group, senders: listPeerWords(peers) }))
  const tested = await findLastMail(db, on.ownerUuid, mailTestText().subject)
  const certificate = await describeCertificate(config)
  const study = await findArrivedStudy(db, on.ownerUuid)
  const isLocal = isLocalHost(config.dicom.host)
  const done: Record<FirstStep, boolean> = {
    name: figures.name !== firstOrganisation,
    self: figures.is_named,
    group: figures.groups > 0 && figures.unattended.length === 0,
    people: figures.people > 1,
    // senders of other machines reach nothing there
    sender: !isLocal && titles.some(({ senders }) => senders.length > 0),
    mail: Boolean(config.smtpUrl) && tested?.is_sent === true,
    certificate: certificate.isTrusted,
    study: study !== undefined,
  }
  return {
    steps: firstStepNames.map((step) => ({ step, done: done[step] ? 1 : 0 })),
    group_count: figures.groups,
    unattended_groups: figures.unattended,
    people_count: figures.people,
    invited_count: figures.invited,
    titles,
    dicom_host: reachedHost(config.dicom.host),
    dicom_is_local: isLocal ? 1 : 0,
    dicom_port: config.dicom.port,
    has_smtp: config.smtpUrl ? 1 : 0,
    mail: { state: stateOf(tested), recipient: tested?.recipient ?? '', error: tested?.last_error ?? '' },
    certificate: { kind: certificate.kind, ends: certificate.ends },
    study: study ?? null,
  }
}

function stateOf(mail: Awaited<ReturnType<typeof findLastMail>>): 'none' | 'waiting' | 'sent' | 'failed' {
  if (!mail) return 'none'
  if (mail.is_sent) return 'sent'
  return mail.last_error === null ? 'waiting' : 'failed'
}

/** The certificate that browsers and DICOM programs see; one that we signed ourselves, or that has ended, nobody trusts. */
async function describeCertificate(config: Config) {
  if (config.trustedProxies && config.publicUrl?.startsWith('https:')) {
    return { kind: 'proxy', ends: '', isTrusted: true } as const
  }
  const isOfSettings = config.https.certFile !== undefined
  const kind = isOfSettings ? 'files' : 'self_signed'
  try {
    const { cert } = await findCertificate(config)
    const ends = new X509Certificate(cert).validToDate
    return { kind, ends: ends.toISOString().slice(0, 10), isTrusted: isOfSettings && ends > new Date() } as const
  } catch (error) {
    // files that were broken since the start: the listener goes on with those before
    if (error instanceof ConfigError) return { kind, ends: '', isTrusted: false } as const
    throw error
  }
}
