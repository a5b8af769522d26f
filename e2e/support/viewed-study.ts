import type { Frame, Page } from 'playwright-core'
import { vi } from 'vitest'
import { callWell, type ListedStudy, listStudies, openSession } from './call.ts'

const SOON = { timeout: 90_000, interval: 250 }
const group = 'Emergency Department'

/** Sends files to the group and waits until they are a study. @returns its uuid */
export async function sendStudy(address: string, files: readonly Uint8Array<ArrayBuffer>[]): Promise<string> {
  const sid = await openSession(address, 'staff')
  const known = await listStudies(address, sid)
  const place = known.find((study) => study.phi_namespace_name === group)?.phi_namespace
  for (const body of files) {
    const reply = await fetch(`${address}/api/v3/storage/namespace/${place}/image`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sid}` },
      body,
    })
    if (!reply.ok) throw new Error(`An image was refused: ${await reply.text()}`)
  }
  const isNew = ({ uuid: one }: ListedStudy) => !known.some((study) => study.uuid === one)
  const uuid = (await listStudies(address, sid)).find(isNew)?.uuid ?? ''
  await callWell(address, 'study/sync', { sid, uuid, image_count: files.length })
  return uuid
}

/** The quick viewer of a study, in its panel. */
export async function openViewer(page: Page, uuid: string): Promise<Frame> {
  await page.goto(`/group/list?study=${uuid}&tab=viewer`)
  const frame = await (await page.waitForSelector('iframe')).contentFrame()
  if (!frame) throw new Error('The viewer has no frame')
  return frame
}

/** Whether a frame is the full viewer before it is opened, which has no exam and is seen by nobody, or nothing yet. */
export function isUnopened(frame: Frame): boolean {
  return /^(about:blank)?$|\/viewer\/viewer$/.test(frame.url())
}

/** Waits until a server that has just started has made the full viewer ready. */
export async function waitForFullViewer(address: string): Promise<void> {
  await vi.waitUntil(async () => (await fetch(`${address}/viewer/app-config.js`, { method: 'HEAD' })).ok, SOON)
}

/** Gives the viewer of a panel the whole screen. @returns the full viewer's own frame, which has its tools by then */
export async function openFullViewer(frame: Frame): Promise<Frame> {
  await frame.getByRole('button', { name: 'Full screen' }).click()
  const inner = await (await frame.waitForSelector('.full-frame')).contentFrame()
  if (!inner) throw new Error('The full viewer has no frame')
  await inner.getByRole('button', { name: 'Close', exact: true }).waitFor({ timeout: 90_000 })
  return inner
}
