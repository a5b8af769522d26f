import type { Association } from '@hilum/dicom/dimse/association'

/** Does something over an open association and ends the association either way: released, or aborted after a fault. */
export async function overAssociation<Result>(association: Association, act: () => Promise<Result>): Promise<Result> {
  try {
    const result = await act()
    // an act that made do with a part of its answers may have aborted it
    if (association.isOpen) await association.release()
    return result
  } catch (error) {
    if (association.isOpen) association.abort()
    throw error
  }
}
