/** The Error Comment of an instance that conflicts with another one of its SOP UID; the upload page knows it by it. */
export const CONFLICT_COMMENT = 'Kept beside another instance of the same name'
/** The Error Comment, without a warning, of an instance that was there before with the same content. */
export const DUPLICATE_COMMENT = 'The same instance was here before'
