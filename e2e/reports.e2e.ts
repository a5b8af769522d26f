import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { callWell, type ListedStudy, listStudies, openSession } from './support/call.ts'
import { hasCorpus, listFiles, pickFromCorpus, type PickFolder } from './support/corpus.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'

const group = 'Emergency Department'
const { newPerson, server } = useSystem()

describe.skipIf(!hasCorpus)('the reports of an exam', () => {
  let picked: PickFolder
  let uuid: string
  beforeAll(async () => {
    picked = pickFromCorpus(['studies/ct-with-sr-seg-pr-ko-pdf'])
    const { address } = server()
    const sid = await openSession(address, 'staff')
    const known = await listStudies(address, sid)
    const place = known.find((study) => study.phi_namespace_name === group)?.phi_namespace
    for (const file of listFiles(picked.path)) {
      const reply = await fetch(`${address}/api/v3/storage/namespace/${place}/image`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sid}` },
        body: readFileSync(file),
      })
      if (!reply.ok) throw new Error(`An image was refused: ${await reply.text()}`)
    }
    const isNew = ({ uuid: one }: ListedStudy) => !known.some((study) => study.uuid === one)
    uuid = (await listStudies(address, sid)).find(isNew)?.uuid ?? ''
    await callWell(address, 'study/sync', { sid, uuid, image_count: listFiles(picked.path).length })
  })
  afterAll(() => picked?.remove())

  it('[PANEL-02] stand in a tab of their own, are read in place, and have no barriers', async () => {
    const { page, forgive } = await newPerson()
    forgive(/^asked elsewhere: chrome(-extension)?:/) // the browser's own PDF reader
    await signIn(page, 'viewer')
    await page.goto(`/group/list?study=${uuid}`)
    await page.getByRole('tab', { name: 'Reports' }).click()
    await page.getByRole('row', { name: /Outside report \(PDF\)/ }).waitFor()
    const reports = page.getByRole('button', { name: /^Read / })
    expect(await reports.count()).toBe(3)
    await page.getByRole('button', { name: /^Read Outside report/ }).click()
    const frame = page.getByTitle(/^Outside report/)
    await frame.waitFor()
    // the browser's own reader has taken the frame
    await expect.poll(() => page.frames().some((one) => one.url().startsWith('blob:'))).toBe(true)
    await takeShots(page, 'panel-report-pdf')
    await page
      .getByRole('button', { name: /^Read (?!Outside)/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Imaging Measurement Report' }).waitFor()
    await page.getByText('1.7 cm2').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await takeShots(page, 'panel-report')
  })

  it('an exam without reports has no such tab, and says so to who asks for it', async () => {
    const { page } = await newPerson()
    const [other] = (await listStudies(server().address, await openSession(server().address, 'viewer'))).filter(
      (study) => study.uuid !== uuid,
    )
    await signIn(page, 'viewer')
    await page.goto(`/group/list?study=${other?.uuid}`)
    await page.getByRole('list', { name: 'Series' }).getByRole('img').first().waitFor()
    expect(await page.getByRole('tab', { name: 'Reports' }).count()).toBe(0)
    await page.goto(`/group/list?study=${other?.uuid}&tab=reports`)
    await page.getByText('No reports came with this exam.').waitFor()
  })
})
