import { dicom } from './dicom.ts'
import { eraseAudit } from './erase-audit.ts'
import { exportAll } from './export.ts'
import { importAll } from './import.ts'
import { mailCommand } from './mail.ts'
import { patientCommand } from './patient.ts'
import { ready } from './ready.ts'
import { rehearse } from './rehearse.ts'
import { usersCommand } from './users.ts'
import { verify } from './verify.ts'

/*
 * `npm run hilum -- <command>`: what is done with an installation beside running it. Ends with 0 when all is well, 1 when
 * something was found that is not, 2 when the command could not be carried out.
 */
const commands: Record<string, (args: string[]) => Promise<number>> = {
  verify,
  export: exportAll,
  import: importAll,
  rehearse,
  mail: mailCommand,
  ready,
  patient: patientCommand,
  'erase-audit': eraseAudit,
  dicom,
  users: usersCommand,
}

const usage = `Usage: npm run hilum -- <command>
  verify [--quick]             is every stored object still there and still what it was?
  verify --audit               are the audit rows what they were when they were sealed?
  export <folder>              writes the whole installation into a new folder, also while Hilum runs
  export <folder> --since <export, or a folder of exports>
                               holds only the objects that came since the export before, which it needs beside it
  import <folder>              makes an installation from an export, where there is none yet
  rehearse <export> [--in <folder>]
                               restores an export into a scratch folder, checks all of it, and removes it
  ready                        is the Hilum of this machine ready? Ends with 0 when it is
  patient find <MRN>           what is stored of a patient, where, and what keeps it
  patient export <MRN> <folder>
  patient hold | release <MRN> --reason <words>
  patient keep <MRN> --until <YYYY-MM-DD, or none> --reason <words> [--study <Study Instance UID>]
  patient erase <MRN> --reason <words> [--confirm <exams>]
                               says what would go for good and what stays; with --confirm removes it
  mail returned                reads a mail that could not be delivered, and notes it with the link it was sent for
  erase-audit --reason <words> <number> …   empties the details of audit rows where law asks for it
  dicom                        which groups DICOM senders can call, and who may send to them
  dicom set <group> [--title <AE title>] [--allow <CT_1@10.1.0.0/16> … | --only-this-machine]
           [--allow-query <WS_1@10.1.0.0/16> … | --no-query]
           [--allow-worklist <CT_1@10.1.0.0/16> … | --no-worklist]
  dicom reports [--count <n>]  what the last senders brought
  users                        who may sign in, where, and how many sessions are open
  users reset-link <e-mail>    makes a link by which this person chooses a new password
  users reset-two-factor <e-mail>
                               takes the second factor off somebody who has lost it
  users end-sessions <e-mail>  signs this person out everywhere
  users disable | enable <e-mail>
  users system-administrator | supporter | no-system-flags <e-mail>
                               who looks after the whole installation
  users allow-passwords [--account <name>]
                               lets people sign in by password again where a provider alone was let in
  users add-administrator <e-mail> [--account <name>] [--first <name>] [--last <name>]
docs/deploy.md says more.
`

const [name = '', ...args] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if ([name, ...args].some((word) => word === '--help' || word === '-h') || name === 'help') {
  process.stdout.write(usage)
} else if (!command) {
  process.stderr.write(
    `${name ? `hilum: There is no command ${JSON.stringify(name)}.` : 'hilum: Name a command.'}\n${usage}`,
  )
  process.exitCode = 2
} else {
  try {
    process.exitCode = await command(args)
  } catch (error) {
    process.stderr.write(`hilum ${name}: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  }
}
