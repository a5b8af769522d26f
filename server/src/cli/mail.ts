import { readDeliveryReport } from '../areas/mail/delivery-report.ts'
import { noteReturned } from '../areas/mail/note-returned.command.ts'
import { readConfig } from '../config.ts'
import { CommandError } from './command-error.ts'
import { assertPresentSchema, openInstallation } from './open-installation.ts'
import { say } from './say.ts'

/** Bytes of a mail that are read; a report stands at its beginning. */
const mostBytes = 1024 * 1024

/** `mail returned`: takes a mail that came back, from the standard input, and notes it with the link it was sent for. */
export async function mailCommand(args: string[], input: AsyncIterable<Buffer> = process.stdin): Promise<number> {
  if (args.length !== 1 || args[0] !== 'returned') throw new CommandError('Use: hilum mail returned < mail')
  const report = readDeliveryReport(await readMail(input))
  if (!report) {
    // an error would make the mail server send this mail back, too
    say('This mail is no report of a mail that could not be delivered.')
    return 0
  }
  const config = readConfig()
  await using installation = await openInstallation(config)
  await assertPresentSchema(installation.db)
  await installation.db.transaction().execute((tx) => noteReturned(tx, config, report.mailUuid, report.reason))
  say('Noted.')
  return 0
}

async function readMail(input: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of input) {
    if (length < mostBytes) chunks.push(chunk)
    length += chunk.length
  }
  return Buffer.concat(chunks).subarray(0, mostBytes).toString('latin1')
}
