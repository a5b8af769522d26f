import type { CustomField } from '@hilum/contract/entities/page-fields'
import { linkMinutes, linkReminderHours, maxLinkMinutes, uploadMegabytes } from '@hilum/contract/limits'
import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { failureCode } from '../../../api/api-failure.ts'
import { refusedFieldsText } from '../../../fields/custom-field-fault.ts'
import { focusFieldFault } from '../../../fields/object-fields.tsx'
import { TextInput } from '../../../fields/text-input.tsx'
import { ObjectFieldPart } from '../object-field-part.tsx'
import { uploadSizeOptions } from '../../../format/size-options.ts'
import { type LabelKey, t, tRich } from '../../../labels/label.ts'
import { type OrganisationSettings, useSaveOrganisation } from '../../../queries/account-settings.ts'
import { OffForSupport } from '../../../session/off-for-support.tsx'
import { useEstablished } from '../../../session/session-store.ts'
import { UnsavedGuard } from '../../../state/unsaved-guard.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { PassingBanner } from '../../../ui/passing-banner.tsx'
import { StaleBanner } from '../stale-banner.tsx'
import { useChanges } from '../use-changes.ts'
import { EntryPart, entryFault } from './entry-part.tsx'
import { LogoField } from './logo-field.tsx'
import { NamedIssuers } from './named-issuers.tsx'
import { changedSettings, durationOptions, reminderOptions, organisationFaults } from './organisation-rules.ts'
import { TagColorsField } from './tag-colors-field.tsx'
import style from './organisation.module.css'

const colors: Readonly<Record<string, LabelKey & `organisation.color${string}`>> = {
  '': 'organisation.colorNone',
  '#2f6fb0': 'organisation.colorBlue',
  '#1d8a8a': 'organisation.colorTeal',
  '#2f8a46': 'organisation.colorGreen',
  '#7a4fb5': 'organisation.colorPurple',
  '#b8333f': 'organisation.colorRed',
  '#c2701c': 'organisation.colorOrange',
}

interface OrganisationFormProps {
  loaded: OrganisationSettings
  fields: readonly CustomField[]
}

/** The settings in one form; what it saves is what changed. A new assigning authority is asked about first. */
export function OrganisationForm({ loaded, fields }: OrganisationFormProps) {
  const { account } = useEstablished()
  const { form, put: putChange, clear, settle, seenOf } = useChanges(loaded)
  const [showsFaults, setShowsFaults] = useState(false)
  /** The question about a new assigning authority, and whether it is about saving over another change. */
  const [asked, setAsked] = useState<'save' | 'saveMine'>()
  const save = useSaveOrganisation(account.uuid)
  const changed = changedSettings(loaded, form)
  const found = organisationFaults(form)
  const values = Object.fromEntries(fields.map(({ uuid, value }) => [uuid, form[`customfield-${uuid}`] ?? value]))
  const faults = showsFaults ? found : {}
  const isTaken = failureCode(save.error) === 'DUPLICATE_NAME'
  const isAtField = isTaken || entryFault(save.error) !== undefined
  const put = (part: Partial<OrganisationSettings>) => {
    putChange(part)
    if (!save.isPending) save.reset()
  }
  type Switched =
    | 'must_approve'
    | 'must_approve_upload'
    | 'must_approve_harvest'
    | 'no_share'
    | 'allow_copies'
    | 'enable_dicom_wrapping'
    | 'auto_wrap_images'
  const flag = (field: Switched) => ({
    checked: form[field] === '1',
    onChange: (event: { currentTarget: { checked: boolean } }) =>
      put({ [field]: event.currentTarget.checked ? '1' : '' }),
  })
  const text = (field: 'name' | 'issuer' | 'other_issuers' | 'help_address' | 'share_description') => ({
    value: form[field],
    error: faults[field],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => put({ [field]: event.currentTarget.value }),
  })
  const send = (seen: Partial<OrganisationSettings> | undefined) =>
    save.mutate({ ...changed, seen }, { onSuccess: settle })
  const store = (how: 'save' | 'saveMine') => {
    setAsked(undefined)
    send(how === 'save' ? seenOf(Object.keys(changed)) : undefined)
  }
  const storeOrAsk = (how: 'save' | 'saveMine') => (changed.issuer === undefined ? store(how) : setAsked(how))
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setShowsFaults(true)
    if (save.isPending || Object.keys(found).length > 0) return
    if (focusFieldFault(event.currentTarget, fields, values, false)) return
    storeOrAsk('save')
  }
  return (
    <form className={style.form} aria-labelledby="organisation" noValidate onSubmit={handleSubmit}>
      <UnsavedGuard isDirty={Object.keys(changed).length > 0} />
      {save.isSuccess && (
        <PassingBanner key={save.submittedAt} onGone={save.reset}>
          {t('organisation.saved')}
        </PassingBanner>
      )}
      {save.isError && !isAtField && failureCode(save.error) !== 'STALE' && (
        <Banner tone="failed">{refusedFieldsText(save.error) ?? t('organisation.failed')}</Banner>
      )}
      <fieldset className={style.part}>
        <legend>{t('organisation.identity')}</legend>
        <TextInput
          label={t('organisation.name')}
          description={t('organisation.nameHelp')}
          {...text('name')}
          error={isTaken ? t('organisation.nameTaken') : faults.name}
        />
        <TextInput label={t('organisation.issuer')} description={t('organisation.issuerHelp')} {...text('issuer')} />
        <TextInput
          label={t('organisation.otherIssuers')}
          description={t('organisation.otherIssuersHelp')}
          {...text('other_issuers')}
        />
        <NamedIssuers />
      </fieldset>
      <OffForSupport reason="offForSupport.signIn">
        <EntryPart
          vanity={form.vanity}
          roleId={form.default_role_id}
          failure={save.error}
          onChange={({ vanity = form.vanity, roleId = form.default_role_id }) =>
            put({ vanity, default_role_id: roleId })
          }
        />
      </OffForSupport>
      <fieldset className={style.part}>
        <legend>{t('organisation.look')}</legend>
        <LogoField value={form.brand_logo} onChange={(logo) => put({ brand_logo: logo })} />
        <NativeSelect
          label={t('organisation.color')}
          value={form.brand_color}
          data={[
            ...Object.entries(colors).map(([value, label]) => ({ value, label: t(label) })),
            ...(form.brand_color in colors ? [] : [{ value: form.brand_color, label: form.brand_color }]),
          ]}
          onChange={(event) => put({ brand_color: event.currentTarget.value })}
        />
        <TagColorsField
          value={form.tag_colors}
          fault={faults.tag_colors}
          onChange={(colorsOfTags) => put({ tag_colors: colorsOfTags })}
        />
      </fieldset>
      <fieldset className={style.part}>
        <legend>{t('organisation.links')}</legend>
        <div className={style.pair}>
          <NativeSelect
            label={t('organisation.linkMinutes')}
            value={form.link_minutes || String(linkMinutes)}
            data={durationOptions(form.link_minutes, linkMinutes)}
            error={faults.link_minutes}
            onChange={(event) => put({ link_minutes: event.currentTarget.value })}
          />
          <NativeSelect
            label={t('organisation.linkMost')}
            value={form.link_most_minutes || String(maxLinkMinutes)}
            data={durationOptions(form.link_most_minutes, maxLinkMinutes)}
            onChange={(event) => put({ link_most_minutes: event.currentTarget.value })}
          />
        </div>
        <NativeSelect
          label={t('organisation.linkReminder')}
          description={t('organisation.linkReminderHelp')}
          value={form.link_reminder_hours || String(linkReminderHours)}
          data={reminderOptions(form.link_reminder_hours)}
          onChange={(event) => put({ link_reminder_hours: event.currentTarget.value })}
        />
        <NativeSelect
          label={t('organisation.uploadMost')}
          description={t('organisation.uploadMostHelp')}
          value={form.upload_megabytes || String(uploadMegabytes)}
          data={uploadSizeOptions(Number(form.upload_megabytes || uploadMegabytes))}
          onChange={(event) => put({ upload_megabytes: event.currentTarget.value })}
        />
      </fieldset>
      <fieldset className={style.part}>
        <legend>{t('organisation.sent')}</legend>
        <Checkbox
          label={t('organisation.copies')}
          description={t('organisation.copiesHelp')}
          {...flag('allow_copies')}
        />
      </fieldset>
      <fieldset className={style.part}>
        <legend>{t('organisation.inbox')}</legend>
        <p className={style.hint}>{t('organisation.inboxHelp')}</p>
        <Checkbox label={t('organisation.noShare')} description={t('organisation.noShareHelp')} {...flag('no_share')} />
        <Checkbox label={t('organisation.approve')} {...flag('must_approve')} />
        <Checkbox label={t('organisation.approveUpload')} {...flag('must_approve_upload')} />
        <Checkbox label={t('organisation.approveHarvest')} {...flag('must_approve_harvest')} />
        <TextInput
          label={t('organisation.shareDescription')}
          description={t('organisation.shareDescriptionHelp')}
          {...text('share_description')}
        />
      </fieldset>
      <fieldset className={style.part}>
        <legend>{t('organisation.files')}</legend>
        <Checkbox
          label={t('organisation.wrap')}
          description={t('organisation.wrapHelp')}
          {...flag('enable_dicom_wrapping')}
        />
        <Checkbox
          label={t('organisation.autoWrap')}
          description={t('organisation.autoWrapHelp')}
          {...flag('auto_wrap_images')}
        />
      </fieldset>
      <fieldset className={style.part}>
        <legend>{t('organisation.more')}</legend>
        <TextInput label={t('organisation.help')} description={t('organisation.helpHelp')} {...text('help_address')} />
        <Checkbox
          label={t('organisation.worklist')}
          description={t('organisation.worklistHelp')}
          checked={form.inbox_allow_switch_between_modes === '1'}
          onChange={(event) => put({ inbox_allow_switch_between_modes: event.currentTarget.checked ? '1' : '' })}
        />
      </fieldset>
      <ObjectFieldPart
        className={style.part}
        fields={fields}
        values={values}
        isTried={showsFaults}
        isNew={false}
        onChange={(uuid, value) => put({ [`customfield-${uuid}`]: value })}
      />
      <p className={style.hint}>
        {tRich('organisation.elsewhere', {
          security: (
            <Link key="security" to="/administration/security">
              {t('security.title')}
            </Link>
          ),
          connections: (
            <Link key="connections" to="/administration/connections">
              {t('connections.title')}
            </Link>
          ),
        })}
      </p>
      <StaleBanner failure={save.error} isSaving={save.isPending} onSaveMine={() => storeOrAsk('saveMine')} />
      <div className={style.acts}>
        <Button
          variant="default"
          size="sm"
          disabled={save.isPending}
          onClick={() => {
            clear()
            setShowsFaults(false)
            save.reset()
          }}
        >
          {t('settings.clear')}
        </Button>
        <Button type="submit" size="sm" loading={save.isPending}>
          {t('button.save')}
        </Button>
      </div>
      {asked && (
        <Dialog title={t('organisation.issuerAsk')} closeLabel={t('button.close')} onClose={() => setAsked(undefined)}>
          <p className={style.question}>
            {t('organisation.issuerText', { before: loaded.issuer, after: changed.issuer ?? '' })}
          </p>
          <div className={style.acts}>
            <Button variant="default" data-autofocus onClick={() => setAsked(undefined)}>
              {t('button.cancel')}
            </Button>
            <Button color="red" onClick={() => store(asked)}>
              {t('organisation.issuerDo', { after: changed.issuer ?? '' })}
            </Button>
          </div>
        </Dialog>
      )}
    </form>
  )
}
