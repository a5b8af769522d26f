import { randomUUID } from 'node:crypto'
import { type DemoStudy, demoStudies } from '@hilum/dicom/synthetic/demo'
import { foldText } from '@hilum/dicom/person-name'
import { createAccount } from '../areas/account/create-account.command.ts'
import { saveDestination } from '../areas/destination/destination.sql.ts'
import { emptyDestination } from '../areas/destination/empty-destination.ts'
import { createGroup } from '../areas/group/create-group.command.ts'
import {
  aeTitleSetting,
  allowedPeersSetting,
  type PeerRule,
  queryPeersSetting,
  worklistPeersSetting,
} from '../areas/node/peer-rules.ts'
import { firstNodeOf } from '../areas/node/save-own-node.command.ts'
import { emptyOrder, emptyStep } from '../areas/order/empty-order.ts'
import { saveOrder, saveStep } from '../areas/order/order-write.sql.ts'
import { putSetting } from '../areas/setting/setting.sql.ts'
import type { Tx } from '../db/database.ts'
import { demoAccount } from './demo-organisation.ts'

/** Titles by which the demo's own nodes are called. */
export const demoTitles = ['DEMO_PACS', 'DEMO_WORKLIST'] as const
const archive = { name: 'Demo PACS', aeTitle: demoTitles[0] }
const worklist = { name: 'Demo worklist', aeTitle: demoTitles[1] }
/** Of the demo's studies, by their folder. */
const modalities = new Map([
  ['chest-ct', 'CT'],
  ['chest-ct-prior', 'CT'],
  ['head-mr', 'MR'],
  ['echo', 'US'],
  ['skin-photo', 'XC'],
])
/** Programs of this machine, whatever title they call by. */
const ownMachine: readonly PeerRule[] = [{ address: '127.0.0.0/8' }, { address: '::1' }]

/**
 * Gives the first demo organisation a PACS and a worklist to work with: DICOM nodes of this installation, called over the
 * network of this machine like any other. The PACS is an organisation of its own, in which nobody works, so that studies
 * come into it by C-STORE alone and back by C-GET. The worklist tells the orders of the gatekeeper group.
 * @param at the address and port by which the DICOM listener is called on this machine
 */
export async function makeDemoArchive(
  tx: Tx,
  accountUuid: string,
  gatewayNamespace: string,
  at: { address: string; port: number },
): Promise<void> {
  const { issuer } = demoAccount
  const made = await createAccount(tx, { name: archive.name, issuer, isDemo: true })
  const { namespaceUuid } = await createGroup(tx, {
    accountUuid: made.accountUuid,
    name: archive.name,
    config: { group_designation: 'LIBRARY' },
  })
  await putSetting(tx, 'namespace', namespaceUuid, aeTitleSetting, archive.aeTitle)
  await putSetting(tx, 'namespace', namespaceUuid, queryPeersSetting, JSON.stringify(ownMachine))
  await putSetting(tx, 'namespace', gatewayNamespace, aeTitleSetting, worklist.aeTitle)
  await putSetting(tx, 'namespace', gatewayNamespace, allowedPeersSetting, JSON.stringify([]))
  await putSetting(tx, 'namespace', gatewayNamespace, worklistPeersSetting, JSON.stringify(ownMachine))
  const node = await firstNodeOf(tx, undefined, accountUuid)
  const place = { account_uuid: accountUuid, node_uuid: node.uuid, ...at }
  await saveDestination(tx, {
    ...emptyDestination,
    ...place,
    uuid: randomUUID(),
    name: archive.name,
    aetitle: archive.aeTitle,
    can_search: true,
    can_query_retrieve: true,
    retrieve_method: 'get',
  })
  await saveDestination(tx, {
    ...emptyDestination,
    ...place,
    uuid: randomUUID(),
    name: worklist.name,
    aetitle: worklist.aeTitle,
    can_search_mwl: true,
    can_push: false,
  })
  for (const [index, { study }] of demoStudies().entries())
    await addOrder(tx, { accountUuid, namespaceUuid: gatewayNamespace, number: index + 1 }, study)
}

/**
 * Where programs of this machine reach a listener; undefined where it listens to one address of the network alone, from
 * which the demo's nodes take nothing.
 */
export function demoPlaceOf(host: string, port: number): { address: string; port: number } | undefined {
  if (host === '::' || host === '::1') return { address: '::1', port }
  return host === '0.0.0.0' || host === '127.0.0.1' || host === 'localhost' ? { address: '127.0.0.1', port } : undefined
}

/** An order that a demo study fits: of its patient and examination, under an accession number of the hospital. */
async function addOrder(
  tx: Tx,
  { accountUuid, namespaceUuid, number }: { accountUuid: string; namespaceUuid: string; number: number },
  { folder, patient, description, referringPhysician, date }: DemoStudy['study'],
): Promise<void> {
  const uuid = randomUUID()
  const order_number = `ORD-${String(number).padStart(4, '0')}`
  await saveOrder(tx, {
    ...emptyOrder,
    uuid,
    account_uuid: accountUuid,
    namespace_uuid: namespaceUuid,
    order_number,
    accession_number: `NS26-${String(number).padStart(4, '0')}`,
    patientid: patient.id,
    issuer: patient.issuer,
    patient_name: patient.name,
    search: foldText(patient.name),
    patient_sex: patient.sex,
    patient_birth_date: patient.birthDate,
    referring_physician: referringPhysician,
  })
  await saveStep(tx, {
    ...emptyStep,
    uuid: randomUUID(),
    account_uuid: accountUuid,
    order_uuid: uuid,
    modality: modalities.get(folder) ?? '',
    scheduled_procedure_step_id: `${order_number}-1`,
    requested_procedure_id: order_number,
    requested_procedure_description: description,
    scheduled_procedure_step_description: description,
    scheduled_procedure_step_start_date: date,
  })
}
