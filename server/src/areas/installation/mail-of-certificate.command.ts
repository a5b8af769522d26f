import type { Services } from '../../services.ts'
import { certificateMail } from '../mail/mail-texts.ts'
import { mailAdministrators } from './mail-administrators.command.ts'

/** The warning of which a process last asked whether people know. */
const asked = new WeakMap<Services['certificate'], { warning: string; at: number }>()
const askAgainMs = 3_600_000

/** Mails the administrators of every organisation that the certificate ends, once for each level of each certificate. */
export async function mailOfCertificate(
  services: Pick<Services, 'certificate' | 'db' | 'config'>,
  now: Date,
): Promise<void> {
  const { certificate } = services
  const state = certificate.look(now)
  if (!state || state.level === 'ample') return
  const { level, endsAt } = state
  const warning = `certificate ${level} ${endsAt.toISOString()}`
  const last = asked.get(certificate)
  // there may have been nobody to tell
  if (last?.warning === warning && now.getTime() - last.at < askAgainMs) return
  await mailAdministrators(services, { warning, write: (address) => certificateMail(address, level, endsAt) })
  asked.set(certificate, { warning, at: now.getTime() })
}
