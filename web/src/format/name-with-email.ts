/** A person by name and e-mail address, since two may have one name; once, where the address stands for a name. */
export function nameWithEmail(name: string, email: string): string {
  return email && email !== name ? `${name} · ${email}` : name
}
