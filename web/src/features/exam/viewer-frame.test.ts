import { expect, test, vi } from 'vitest'
import { priorAddress, readViewerMessage, viewerAddress } from './viewer-frame.ts'

test('[PANEL-08] the frame names the study behind the # and carries the derived sid as a parameter', () => {
  const study = { storage_namespace: 'st', study_uid: '1.2', phi_namespace: 'phi' }
  expect(viewerAddress(study, 'derived', { scheme: 'dark' })).toBe(
    '/proviewer/?sid=derived&scheme=dark&patient=shown#study/st/1.2/phi',
  )
  expect(viewerAddress(study, 'derived', { scheme: 'dark' }, true)).toContain('&keep=1#')
})

test('the frame is told how the person reads dates, also where a prior stands beside', () => {
  const study = { storage_namespace: 'st', study_uid: '1.2', phi_namespace: 'phi' }
  for (const address of [viewerAddress, priorAddress])
    expect(address(study, 'derived', { scheme: 'dark', dateFormat: 'DD/MM/YYYY' })).toContain('&dates=DD%2FMM%2FYYYY&')
})

test('[PANEL-09] messages carry an action, as object or JSON; what cannot be parsed is only logged', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  expect(readViewerMessage('{"action":"close-viewer"}')).toEqual({ action: 'close-viewer' })
  expect(readViewerMessage({ action: 'open-prior', uuid: 'u' })).toEqual({ action: 'open-prior', uuid: 'u' })
  expect(warn).not.toHaveBeenCalled()
  expect(readViewerMessage('{')).toBeUndefined()
  expect(warn).toHaveBeenCalledOnce()
  expect(readViewerMessage(7)).toBeUndefined()
})
