const mostNames = 10
const hostForm = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

/** Host names as they are kept: small letters, each once. */
export function readVanity(sent: string): string[] | 'invalid' {
  const names = [
    ...new Set(
      sent
        .toLowerCase()
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ]
  return names.length <= mostNames && names.every((name) => hostForm.test(name)) ? names : 'invalid'
}

/**
 * Whether people of all organisations come in by one of these names: that of the installation's address, or one of every
 * machine. Whoever had it could show a sign-in page and logins of one organisation to the people of another.
 */
export function isOfInstallation(names: readonly string[], publicUrl: string | undefined): boolean {
  const own = publicUrl && URL.canParse(publicUrl) ? new URL(publicUrl).hostname.toLowerCase() : undefined
  return names.some((name) => name === own || name === 'localhost' || /^[\d.]+$/.test(name))
}
