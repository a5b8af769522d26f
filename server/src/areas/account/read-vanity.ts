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
