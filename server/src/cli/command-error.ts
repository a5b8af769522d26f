/** A command that cannot be carried out, in words for the person who gave it. */
export class CommandError extends Error {}
