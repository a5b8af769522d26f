import { expect, test } from 'vitest'
import { listTimeZones, timeZones } from './time-zones.ts'

test('[ACCOUNT-02] zones have the names that IANA gives them today, each once, and UTC is first', () => {
  const found = listTimeZones(['Asia/Calcutta', 'Europe/Kiev', 'America/Buenos_Aires', 'Europe/Berlin', 'UTC'])
  expect(found).toEqual(['UTC', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata', 'Europe/Berlin', 'Europe/Kyiv'])
  expect(timeZones).toContain('Asia/Ho_Chi_Minh')
  expect(new Set(timeZones).size).toBe(timeZones.length)
})
