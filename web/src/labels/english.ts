import { agreedTexts } from './en/agreed-texts.ts'
import { approval } from './en/approval.ts'
import { audit } from './en/audit.ts'
import { connections } from './en/connections.ts'
import { customFields } from './en/custom-fields.ts'
import { destinations } from './en/destinations.ts'
import { downloads } from './en/downloads.ts'
import { exam } from './en/exam.ts'
import { fields } from './en/fields.ts'
import { firstSteps } from './en/first-steps.ts'
import { groups } from './en/groups.ts'
import { keys } from './en/keys.ts'
import { leavers } from './en/leavers.ts'
import { stuck } from './en/stuck.ts'
import { links } from './en/links.ts'
import { locations } from './en/locations.ts'
import { nameless } from './en/nameless.ts'
import { nomination } from './en/nomination.ts'
import { process } from './en/process.ts'
import { requests } from './en/requests.ts'
import { close } from './en/close.ts'
import { organisation } from './en/organisation.ts'
import { outside } from './en/outside.ts'
import { reports } from './en/reports.ts'
import { retrieve } from './en/retrieve.ts'
import { retention } from './en/retention.ts'
import { retract } from './en/retract.ts'
import { roles } from './en/roles.ts'
import { screens } from './en/screens.ts'
import { routing } from './en/routing.ts'
import { search } from './en/search.ts'
import { security } from './en/security.ts'
import { signInProvider } from './en/sign-in-provider.ts'
import { send } from './en/send.ts'
import { merge } from './en/merge.ts'
import { move } from './en/move.ts'
import { separation } from './en/separation.ts'
import { session } from './en/session.ts'
import { settingsLabels } from './en/settings.ts'
import { share } from './en/share.ts'
import { shell } from './en/shell.ts'
import { system } from './en/system.ts'
import { studies } from './en/studies.ts'
import { twoFactor } from './en/two-factor.ts'
import { upload } from './en/upload.ts'
import { users } from './en/users.ts'
import { worklist } from './en/worklist.ts'

/** Flat keys, `{slot}` for what is put in, plural forms by the suffixes `_one` and `_other`: the JSON shape that translation tools know. */
export const english = {
  ...shell,
  ...security,
  ...session,
  ...signInProvider,
  ...settingsLabels,
  ...screens,
  ...studies,
  ...system,
  ...search,
  ...exam,
  ...send,
  ...merge,
  ...move,
  ...separation,
  ...share,
  ...agreedTexts,
  ...approval,
  ...audit,
  ...connections,
  ...customFields,
  ...destinations,
  ...retention,
  ...retract,
  ...downloads,
  ...fields,
  ...firstSteps,
  ...groups,
  ...keys,
  ...leavers,
  ...stuck,
  ...links,
  ...locations,
  ...nameless,
  ...nomination,
  ...close,
  ...organisation,
  ...outside,
  ...process,
  ...reports,
  ...roles,
  ...routing,
  ...twoFactor,
  ...requests,
  ...retrieve,
  ...upload,
  ...users,
  ...worklist,
} as const
