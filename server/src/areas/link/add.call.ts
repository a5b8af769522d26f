import { randomBytes, randomUUID } from 'node:crypto'
import type { linkAdd } from '@hilum/contract/calls/link'
import { linkMinutes } from '@hilum/contract/limits'
import { rightsOfLink } from '@hilum/contract/link-rights'
import { digestOf } from '../../access/sid.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { linkMail } from '../mail/mail-texts.ts'
import { insertSecretMail } from '../mail/mail.sql.ts'
import { publicAddress } from '../mail/public-address.ts'
import { hashPassword } from '../user/password-hash.ts'
import { linkAddress } from './link.presenter.ts'
import { addLink, lockLinkable } from './link.sql.ts'
import { checkLinkValues, mayGive } from './link-values.policy.ts'

/** Bytes of the secret in the address of a link (design §6). */
const secretBytes = 16
const emailForm = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;.]+$/

export const add: Handler<typeof linkAdd> = async ({ services, input, caller, on, origin, fail }) => {
  checkLinkValues(input)
  const { record, membership } = on
  const { password = '', max_hits: maxHits = 0, minutes_alive: minutes = linkMinutes } = input
  const download = input.download === 1
  const passwordIsDob = input.password_is_dob === 1
  const email = input.email?.trim() ?? ''
  if (email && !emailForm.test(email)) throw fail('INVALID_EMAIL')
  if (passwordIsDob && password) throw fail('INVALID_PARAMETERS')
  if (!mayGive(membership, download)) throw fail('NOT_PERMITTED')
  const uuid = randomUUID()
  const secret = randomBytes(secretBytes).toString('base64url')
  const url = linkAddress(publicAddress(services.config, origin), secret)
  const passwordHash = password ? await hashPassword(password) : null
  const expiresAt = new Date(Date.now() + minutes * 60_000)
  await services.db.transaction().execute(async (tx) => {
    const study = await lockLinkable(tx, record)
    if (!study) throw fail('NOT_FOUND')
    if (study.is_frozen) throw fail('NOT_PERMITTED', { subtype: 'frozen' })
    if (!study.has_images) throw fail('PHANTOM')
    if (passwordIsDob && !/^\d{8}$/.test(study.patient_birth_date))
      throw fail('INVALID_FIELD', { subtype: 'password_is_dob' })
    await addLink(tx, {
      uuid,
      accountUuid: record.account_uuid,
      createdBy: caller.userUuid,
      permissions: rightsOfLink(download),
      expiresAt,
      studies: [record],
      secretDigest: digestOf(secret),
      sealedSecret: services.sealer.seal(secret, uuid),
      passwordHash,
      passwordIsDob,
      maxHits: maxHits || null,
      message: input.message?.trim() ?? '',
      email,
    })
    if (email) {
      const mailUuid = randomUUID()
      await insertSecretMail(tx, {
        uuid: mailUuid,
        accountUuid: record.account_uuid,
        recipient: email,
        ...linkMail(passwordIsDob ? 'birthDate' : password ? 'password' : 'none'),
        sealedSecret: services.sealer.seal(url, mailUuid),
        minutes,
      })
    }
    await writeAudit(tx, {
      accountUuid: record.account_uuid,
      caller,
      action: 'CREATE',
      type: 'Link',
      objectUuid: record.uuid,
      phiNamespace: record.phi_namespace,
      detail: {
        link: uuid,
        expires_at: expiresAt.toISOString(),
        max_hits: maxHits || null,
        factor: passwordIsDob ? 'date of birth' : password ? 'password' : 'none',
        download: download ? 1 : 0,
        ...(email ? { email } : {}),
      },
    })
  })
  return { uuid, url }
}
