import { newUid } from '@hilum/dicom/uid'
import { expect, test } from 'vitest'
import { madeImage, uploadImage } from '../../../test/made-image.ts'
import { startStorage } from '../../../test/storage-fixture.ts'
import { receiveImage, TRANSFER_QUIET_SECONDS } from './receive-image.command.ts'

const storage = await startStorage()

const historyOf = (studyUid: string) =>
  storage.query(`
    select a.action, a.type, a.actor::text as actor, a.actor_kind, a.actor_name, a.detail
    from audit a
    join study s on s.uuid = a.object_uuid and s.phi_namespace = a.phi_namespace and s.account_uuid = a.account_uuid
    where s.study_uid = '${studyUid}'
    order by a.id`)

test('a study that comes unannounced has its upload on record once, with who sent it [SUMMARY-02]', async () => {
  const member = await storage.addMember(['study_upload'])
  const studyUid = newUid()
  await Promise.all([1, 2, 3].map((number) => uploadImage(storage, member, madeImage({ studyUid, number }))))
  const [user] = await storage.query<{ email: string }>(`select email from app_user where uuid = '${member.user}'`)
  expect(await historyOf(studyUid)).toEqual([
    {
      action: 'CREATE',
      type: 'Study',
      actor: member.user,
      actor_kind: 'user',
      actor_name: user?.email,
      detail: { source: 'upload' },
    },
  ])
})

test('a study that a node sends has the AE title of the node on record [SUMMARY-02]', async () => {
  const member = await storage.addMember([])
  const studyUid = newUid()
  const arrival = {
    namespaceUuid: member.namespace,
    accountUuid: member.account,
    source: 'harvest' as const,
    sourceName: 'CT_ROOM_2',
    quietSeconds: TRANSFER_QUIET_SECONDS,
  }
  const body = async function* () {
    yield madeImage({ studyUid, number: 1 })
  }
  await receiveImage(storage.services, arrival, body())
  expect(await historyOf(studyUid)).toEqual([
    {
      action: 'CREATE',
      type: 'Study',
      actor: null,
      actor_kind: 'node',
      actor_name: 'CT_ROOM_2',
      detail: { source: 'harvest' },
    },
  ])
})

test('a study that a program sends with the key of a person says so', async () => {
  const member = await storage.addMember(['study_upload'])
  const studyUid = newUid()
  const arrival = {
    namespaceUuid: member.namespace,
    accountUuid: member.account,
    source: 'upload' as const,
    actor: member.user,
    isByKey: true,
    quietSeconds: TRANSFER_QUIET_SECONDS,
  }
  const body = async function* () {
    yield madeImage({ studyUid, number: 1 })
  }
  await receiveImage(storage.services, arrival, body())
  expect(await historyOf(studyUid)).toMatchObject([{ actor: member.user, actor_kind: 'key' }])
})
