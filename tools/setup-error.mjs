/** A fault of set-up that the person can act on: shown as its words alone, without a stack. */
export class SetupError extends Error {}
