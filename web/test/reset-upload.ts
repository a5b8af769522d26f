import { expect, vi } from 'vitest'
import { cancelUpload } from '../src/features/upload/transfer-actions.ts'
import { initialUpload, useUpload } from '../src/features/upload/upload-store.ts'

/** The wizard as it begins. An upload that the test before left under way ends first, since it would show itself in the next. */
export async function resetUpload(): Promise<void> {
  cancelUpload()
  await vi.waitFor(() => expect(useUpload.getState().transfer).toBeUndefined())
  useUpload.setState(initialUpload, true)
}
