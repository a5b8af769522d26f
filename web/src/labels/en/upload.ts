/** Texts of the upload wizard. */
export const upload = {} as const
