import type { Config } from '../../config.ts'
import type { Tx } from '../../db/database.ts'
import { isOtherPatient } from '../storage/other-patient.ts'
import { listPatientsOfLink } from '../storage/sent-patient.sql.ts'
import { noteReturned } from './note-returned.command.ts'

const ofOther = 'The exam was corrected to another patient after somebody wanted this mail to be sent'

/**
 * Holds the mail of a link where an exam of the link is of another patient by now than when somebody last wanted it mailed,
 * and tells whoever gave the link: a person has it mailed again, or cancels it.
 * @returns whether the mail is held
 */
export async function holdOfOtherPatient(
  tx: Tx,
  config: Config,
  mail: { uuid: string; link_uuid: string },
): Promise<boolean> {
  const patients = await listPatientsOfLink(tx, mail.link_uuid)
  if (!patients.some(({ asked, now }) => isOtherPatient(asked, now))) return false
  await noteReturned(tx, config, mail.uuid, ofOther, 'held')
  return true
}
