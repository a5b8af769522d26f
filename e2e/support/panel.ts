import type { Page } from 'playwright-core'
import { beforeAll } from 'vitest'
import { callWell, type ListedStudy, listStudies, openSession, type Reply } from './call.ts'
import type { System } from './system.ts'

/** The demo's studies of a group as they were at the start, and what its staff may do by calls. */
export function useStudiesOf(group: string, server: System['server']) {
  let sid: string
  let studies: ListedStudy[]
  beforeAll(async () => {
    sid = await openSession(server().address, 'staff')
    studies = (await listStudies(server().address, sid)).filter((study) => study.phi_namespace_name === group)
  })
  const call = (path: string, input: Record<string, unknown>): Promise<Reply['body']> =>
    callWell(server().address, path, { sid, ...input })
  return {
    study: (at: number) => studies[at] as ListedStudy, // the demo has three
    find: (fits: (study: ListedStudy) => boolean): ListedStudy => {
      const found = studies.find(fits)
      if (!found) throw new Error('The demo has no such study')
      return found
    },
    call,
    get: (uuid: string) => call('study/get', { uuid }),
  }
}

/** Opens a study among those of all groups, in a tab of the panel. */
export async function openTab(page: Page, uuid: string, tab: string): Promise<void> {
  await page.goto(`/group/list?study=${uuid}&tab=${tab}`)
  await page.getByRole('tab', { selected: true }).waitFor()
}
