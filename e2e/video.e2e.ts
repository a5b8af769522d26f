/// <reference lib="dom" />
import { newUid } from '@hilum/dicom/uid'
import type { Frame, Page, Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { madeVideo } from '../server/test/made-video.ts'
import { takeShots } from './support/shots.ts'
import { signIn } from './support/sign-in.ts'
import { useSystem } from './support/system.ts'
import { openViewer, sendStudy, waitForFullViewer } from './support/viewed-study.ts'

const { newPerson, server } = useSystem()

/** MPEG-4 AVC/H.264 High Profile. */
const H264 = '1.2.840.10008.1.2.4.102'
const SECONDS = 2
const SOON = { timeout: 45_000 }
const OF_VIDEO = /\/version\/\*\/video$/

/** A short clip, as a browser records a canvas. */
async function recordClip(page: Page): Promise<Uint8Array> {
  const numbers = await page.evaluate(async (seconds) => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 64
    const paint = canvas.getContext('2d')
    const mimeType = 'video/mp4;codecs=avc1.42E01E'
    if (!MediaRecorder.isTypeSupported(mimeType))
      throw new Error('This browser records no H.264: take Chromium of Debian')
    const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType })
    const pieces: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => pieces.push(data))
    const isOver = new Promise((resolve) => recorder.addEventListener('stop', resolve))
    const drawing = setInterval(() => {
      if (paint) paint.fillStyle = `hsl(${performance.now() / 10} 80% 50%)`
      paint?.fillRect(0, 0, 64, 64)
    }, 50)
    recorder.start()
    setTimeout(() => recorder.stop(), seconds * 1000)
    await isOver
    clearInterval(drawing)
    return [...new Uint8Array(await new Blob(pieces).arrayBuffer())]
  }, SECONDS)
  return Uint8Array.from(numbers)
}

async function openVideos(page: Page): Promise<Frame> {
  const clip = await recordClip(page)
  // a short clip would be over before a slow machine looks at it
  await page.addInitScript(() => {
    const repeat = ({ target }: Event) => {
      if (target instanceof HTMLVideoElement) target.loop = true
    }
    addEventListener('play', repeat, { capture: true })
  })
  const studyUid = newUid()
  const files = [1, 2].map((number) => new Uint8Array(madeVideo(studyUid, H264, [clip], number)))
  const uuid = await sendStudy(server().address, files)
  await signIn(page, 'viewer')
  const frame = await openViewer(page, uuid)
  await frame.getByText('Video 2 of 2').waitFor()
  return frame
}

const figureOf = (frame: Frame, number: number) => frame.getByRole('figure', { name: `Video ${number} of 2` })
const isPlaying = (frame: Frame) =>
  frame.evaluate(() => {
    const video = document.querySelector('video')
    return video !== null && !video.paused && video.currentTime > 0
  })

it('plays one video at a time, by ranges, once somebody presses it, and silences it behind the full viewer', async () => {
  const { page } = await newPerson()
  const asked: string[] = []
  page.on('request', (request) => {
    if (OF_VIDEO.test(new URL(request.url()).pathname)) asked.push(request.headers()['range'] ?? 'all')
  })
  const given: string[] = []
  page.on('response', (response) => {
    if (OF_VIDEO.test(new URL(response.url()).pathname)) given.push(response.headers()['content-range'] ?? 'all')
  })
  const frame = await openVideos(page)
  expect(asked).toEqual([])
  await takeShots(page, 'videos')
  await figureOf(frame, 1).getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => isPlaying(frame), SOON).toBe(true)
  // the first byte alone is asked for beforehand: whether there is a video, and why not
  expect(given.filter((range) => !range.startsWith('bytes 0-0/'))).not.toEqual([])
  expect(given).not.toContain('all')
  expect(asked).not.toContain('all')
  expect(
    await figureOf(frame, 1)
      .locator('video')
      .evaluate((video) => video === document.activeElement),
  ).toBe(true)
  await takeShots(page, 'video-playing')

  await figureOf(frame, 2).getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => figureOf(frame, 2).locator('video').count(), SOON).toBe(1)
  expect(await figureOf(frame, 1).locator('video').count()).toBe(0)
  await figureOf(frame, 1).getByRole('button', { name: 'Play' }).waitFor()
  await expect.poll(() => isPlaying(frame), SOON).toBe(true)

  await waitForFullViewer(server().address)
  await frame.getByRole('button', { name: 'Full screen' }).click()
  await frame.waitForSelector('.full-frame')
  await expect.poll(() => isPlaying(frame), SOON).toBe(false)
})

it('says why a video did not come and tries again, and fetches it piece by piece where there is no cookie', async () => {
  const { page, forgive } = await newPerson()
  forgive(/status of 401|ERR_FAILED|ERR_CONNECTION/)
  const frame = await openVideos(page)
  const first = figureOf(frame, 1)
  const answering = async (answer: (route: Route) => Promise<void>) => {
    await page.unroute(OF_VIDEO)
    await page.route(OF_VIDEO, answer)
  }
  await answering((route) => route.abort('connectionfailed'))
  await first.getByRole('button', { name: 'Play' }).click()
  await first.getByText('The server cannot be reached.', { exact: false }).waitFor()
  await answering((route) => route.fulfill({ status: 401 }))
  await first.getByRole('button', { name: 'Try again' }).click()
  await first.getByText('This view has ended.', { exact: false }).waitFor()
  expect(await first.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  expect(await first.getByRole('button', { name: 'Download the video' }).isEnabled()).toBe(true)

  // as behind a link: the session of the page alone opens it
  await answering((route) =>
    route.request().headers()['authorization'] ? route.continue() : route.fulfill({ status: 401 }),
  )
  const second = figureOf(frame, 2)
  await second.getByRole('button', { name: 'Play' }).click()
  await expect.poll(() => isPlaying(frame), SOON).toBe(true)
  expect(await second.locator('video').getAttribute('src')).toMatch(/^blob:/)
})
