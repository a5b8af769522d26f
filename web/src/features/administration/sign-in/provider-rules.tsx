import { roleList } from '@hilum/contract/calls/role'
import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { TextInput } from '../../../fields/text-input.tsx'
import { t } from '../../../labels/label.ts'
import { roleOptionOf } from '../users/user-filter.tsx'
import { accountGroupsQuery, rolesQuery } from '../../../queries/account-users.ts'
import { useEstablished } from '../../../session/session-store.ts'
import { useMayCall } from '../../../session/use-may.ts'
import { IconX } from '../../../ui/icons.ts'
import type { ClaimRuleDraft } from './provider-draft.ts'
import style from './sign-in-provider.module.css'

interface ProviderRulesProps {
  rules: readonly ClaimRuleDraft[]
  unmappedRole: string
  onRules: (rules: ClaimRuleDraft[]) => void
  onUnmappedRole: (uuid: string) => void
}

/** Values of the claim with the role or group that each gives, and what becomes of people without a role. */
export function ProviderRules({ rules, unmappedRole, onRules, onUnmappedRole }: ProviderRulesProps) {
  const { account } = useEstablished()
  const maySeeRoles = useMayCall(roleList)
  const { data: roles = [] } = useQuery({ ...rolesQuery(account.uuid), enabled: maySeeRoles })
  const { data: groups = [] } = useQuery(accountGroupsQuery(account.uuid))
  const ofAccount = roles.filter((one) => one.for_account === 1)
  const given = ofAccount.map((one) => ({ ...one, name: t('provider.givesRole', { name: one.name }) }))
  const choices = [
    ...given.map((one) => ({ ...roleOptionOf(one), value: `role:${one.uuid}` })),
    ...groups.map(({ uuid, name }) => ({ value: `group:${uuid}`, label: t('provider.givesGroup', { name }) })),
  ]
  const put = (key: number, part: Partial<ClaimRuleDraft>) =>
    onRules(rules.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const handleAdd = () => {
    const key = Math.max(-1, ...rules.map((one) => one.key)) + 1
    onRules([...rules, { key, value: '', gives: '', roleInGroup: '' }])
  }
  return (
    <fieldset className={style.part}>
      <legend>{t('provider.rules')}</legend>
      <p className={style.hint}>{t('provider.rulesHelp')}</p>
      {rules.map((rule, index) => (
        <div key={rule.key} className={style.rule}>
          <TextInput
            aria-label={t('provider.value')}
            placeholder={t('provider.value')}
            value={rule.value}
            onChange={(event) => put(rule.key, { value: event.currentTarget.value })}
          />
          <NativeSelect
            aria-label={t('provider.gives')}
            value={rule.gives}
            // nobody gives the first role of a list by oversight
            data={[{ value: '', label: t('provider.choose'), disabled: true }, ...choices]}
            onChange={(event) => put(rule.key, { gives: event.currentTarget.value, roleInGroup: '' })}
          />
          <ActionIcon
            variant="subtle"
            aria-label={t('provider.removeRule', { number: index + 1 })}
            onClick={() => onRules(rules.filter((one) => one.key !== rule.key))}
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button variant="default" size="compact-sm" disabled={choices.length === 0} onClick={handleAdd}>
          {t('provider.addRule')}
        </Button>
      </div>
      <NativeSelect
        label={t('provider.unmapped')}
        value={unmappedRole}
        data={[{ value: '', label: t('provider.refused') }, ...given.map(roleOptionOf)]}
        onChange={(event) => onUnmappedRole(event.currentTarget.value)}
      />
    </fieldset>
  )
}
