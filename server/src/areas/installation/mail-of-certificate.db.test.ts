import { expect, it } from 'vitest'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { createCertificateTerm } from '../../certificate-term.ts'
import { makeCertificate } from '../../../test/made-certificate.ts'
import { mailOfCertificate } from './mail-of-certificate.command.ts'

const { services, folder, query } = await openTestServices({ HILUM_PUBLIC_URL: 'https://images.example' })
const dayMs = 86_400_000
const organisation = await makeOrganisation(services.db)

async function mailsSent(): Promise<string[]> {
  const rows = await query<{ line: string }>(
    `with gone as (delete from mail returning recipient || ': ' || subject as line) select line from gone order by line`,
  )
  return rows.map(({ line }) => line)
}

async function startProcess(cert: string) {
  const certificate = createCertificateTerm()
  certificate.note(cert)
  const endsAt = certificate.look()?.endsAt ?? new Date(Number.NaN)
  const look = (daysLeft: number) =>
    mailOfCertificate({ ...services, certificate }, new Date(endsAt.getTime() - daysLeft * dayMs))
  return { look, certificate }
}

it('mails administrators each level of a certificate once, whichever process sees it, and of the next one anew', async () => {
  const { cert } = await makeCertificate(folder)
  const { look, certificate } = await startProcess(cert)
  await look(29.9)
  expect(await mailsSent()).toEqual([])

  await organisation.addPerson({ role: 'Administrator', email: 'head@north.example' })
  await organisation.addPerson({ role: 'Clinician', email: 'desk@north.example' })
  await look(31)
  expect(await mailsSent()).toEqual([])
  await look(29.8)
  const mail = (subject: string) => [`head@north.example: The certificate of the server ${subject}`]
  expect(await mailsSent()).toEqual(mail('ends within 30 days'))
  const other = await startProcess(cert)
  await other.look(29.7)
  await look(20)
  expect(await mailsSent()).toEqual([])
  await look(13)
  expect(await mailsSent()).toEqual(mail('ends within 14 days'))
  await look(2)
  expect(await mailsSent()).toEqual(mail('ends within 3 days'))
  await look(-1)
  const [text] = await query<{ body: string }>('select body from mail')
  expect(text?.body).toContain('at https://images.example')
  expect(await mailsSent()).toEqual(mail('is over'))
  await look(-40)
  expect(await mailsSent()).toEqual([])

  // notAfter has whole seconds: the next one ends at another second
  await query(`update installation_warning set warning = warning || ' of before'`)
  certificate.note((await makeCertificate(folder)).cert)
  await look(29)
  expect(await mailsSent()).toEqual(mail('ends within 30 days'))
})
