import { expect, test, vi } from 'vitest'
import { readViewerMessage, viewerAddress } from './viewer-frame.ts'

test('[PANEL-08] the frame names the study behind the # and carries the derived sid as a parameter', () => {
  const study = { storage_namespace: 'st', study_uid: '1.2', phi_namespace: 'phi' }
  expect(viewerAddress(study, 'derived', 'dark')).toBe(
    '/proviewer/?sid=derived&scheme=dark&patient=shown#study/st/1.2/phi',
  )
  expect(viewerAddress(study, 'derived', 'dark', true)).toContain('&keep=1#')
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
