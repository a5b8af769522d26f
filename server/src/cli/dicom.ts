import { parseArgs } from 'node:util'
import {
  type StoredAssociationReport,
  listAssociations,
  listNodeSettings,
  type NodeSettings,
} from '../areas/node/node-settings.sql.ts'
import { describePeers, listPeerWords, readPeerRule } from '../areas/node/peer-rules.ts'
import { setNode } from '../areas/node/set-node.command.ts'
import { readConfig } from '../config.ts'
import type { Db } from '../db/database.ts'
import { CommandError } from './command-error.ts'
import { assertPresentSchema, openInstallation } from './open-installation.ts'
import { say } from './say.ts'

const DEFAULT_REPORTS = 20

/** Shows and sets which groups DICOM senders can call and who may send to them, and tells what the last ones brought. */
export async function dicom(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      title: { type: 'string' },
      allow: { type: 'string', multiple: true },
      'only-this-machine': { type: 'boolean' },
      'allow-query': { type: 'string', multiple: true },
      'no-query': { type: 'boolean' },
      'allow-worklist': { type: 'string', multiple: true },
      'no-worklist': { type: 'boolean' },
      count: { type: 'string' },
    },
  })
  const [act = 'list', name, ...more] = positionals
  if (more.length > 0) throw new CommandError(`Put a name of several words in quotes: "${[name, ...more].join(' ')}"`)
  await using installation = await openInstallation(readConfig())
  await assertPresentSchema(installation.db)
  const { db } = installation
  if (act === 'list') for (const node of await listNodeSettings(db)) sayNode(node)
  else if (act === 'reports') await sayReports(db, values.count)
  else if (act === 'set') {
    const allowedPeers = values['only-this-machine'] ? [] : values.allow?.map(readPeerRule)
    const queryPeers = values['no-query'] ? [] : values['allow-query']?.map(readPeerRule)
    const worklistPeers = values['no-worklist'] ? [] : values['allow-worklist']?.map(readPeerRule)
    if (values.title === undefined && !allowedPeers && !queryPeers && !worklistPeers)
      throw new CommandError(
        'Say what to set: --title <AE title>, --allow <who> or --only-this-machine, --allow-query <who> or --no-query, --allow-worklist <who> or --no-worklist',
      )
    const { namespaceUuid } = await findNode(db, name)
    await setNode(db, await findNode(db, namespaceUuid), {
      ...(values.title === undefined ? {} : { title: values.title.trim() }),
      ...(allowedPeers ? { allowedPeers } : {}),
      ...(queryPeers ? { queryPeers } : {}),
      ...(worklistPeers ? { worklistPeers } : {}),
    })
    sayNode(await findNode(db, namespaceUuid))
  } else throw new CommandError('Use: hilum dicom, hilum dicom set <group> …, hilum dicom reports')
  return 0
}

async function findNode(db: Db, wanted: string | undefined): Promise<NodeSettings> {
  if (!wanted) throw new CommandError('Name the group: hilum dicom set "Emergency Department" --title EMERGENCY')
  const found = (await listNodeSettings(db)).filter(
    ({ name, namespaceUuid }) => namespaceUuid === wanted || name.toLowerCase() === wanted.toLowerCase(),
  )
  const [node] = found
  if (!node) throw new CommandError(`There is no group ${wanted}. "hilum dicom" lists them.`)
  if (found.length > 1)
    throw new CommandError(`Several are named ${wanted}; take one by its uuid:\n${found.map(describeBoth).join('\n')}`)
  return node
}

function describeBoth({ namespaceUuid, accountName }: NodeSettings): string {
  return `  ${namespaceUuid} of ${accountName}`
}

function sayNode({ name, accountName, title, allowedPeers, queryPeers }: NodeSettings): void {
  const called =
    title === null
      ? 'no AE title, so it cannot be called'
      : `${title}, from ${describePeers(allowedPeers)}; queried by ${listPeerWords(queryPeers).join(', ') || 'nobody'}`
  say(`${name} (${accountName}): ${called}`)
}

async function sayReports(db: Db, count = String(DEFAULT_REPORTS)): Promise<void> {
  if (!/^[1-9]\d{0,5}$/.test(count)) throw new CommandError('--count takes how many reports to show')
  const reports = await listAssociations(db, Number(count))
  if (reports.length === 0) say('No sender has called yet, or none within the time that reports are kept.')
  for (const report of reports) sayReport(report)
}

function sayReport(report: StoredAssociationReport): void {
  const { ended, callingTitle, calledTitle, address, isTls, outcome, reason, failures } = report
  const { stored, duplicates, conflicts, failed } = report
  const way = isTls ? `${address}, TLS` : address
  const images = `${stored} stored, ${duplicates} known, ${conflicts} in conflict, ${failed} refused`
  say(
    `${ended.toISOString()} ${callingTitle} (${way}) to ${calledTitle}: ${outcome}${reason && ` (${reason})`}, ${images}`,
  )
  for (const one of failures) say(`    ${one.count} × ${one.status} ${one.reason}`)
}
