import type { Permission } from './permissions.ts'

/** Kinds of work that a program's key is made for on the screen, and the permissions that each takes. */
export const keyScopes = {
  view: ['study_view', 'study_browse', 'study_report_view'],
  download: ['study_download'],
  upload: ['study_upload', 'study_sync'],
  attach: ['study_report_upload'],
  edit: ['study_edit', 'study_tag'],
} as const satisfies Record<string, readonly Permission[]>

export type KeyScope = keyof typeof keyScopes

/** The permissions of some kinds of work. */
export function permissionsOfScopes(scopes: readonly KeyScope[]): Permission[] {
  return scopes.flatMap((scope) => [...keyScopes[scope]])
}

/** The kinds of work for which a key has every permission, and how many of its permissions belong to none of these. */
export function scopesOfPermissions(held: readonly string[]): { scopes: KeyScope[]; others: number } {
  const names = Object.keys(keyScopes) as KeyScope[]
  const scopes = names.filter((scope) => keyScopes[scope].every((one) => held.includes(one)))
  const covered: ReadonlySet<string> = new Set(permissionsOfScopes(scopes))
  return { scopes, others: held.filter((one) => !covered.has(one)).length }
}
