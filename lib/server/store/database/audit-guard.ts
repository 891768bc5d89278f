type Flavour = 'sqlite' | 'postgres'

/** What erasing a person changes in an entry of the audit log (`tables/audit-chain.ts`). */
const IS_ERASURE = [
  ...['salt', 'user_reference_id', 'reason', 'detail'].map((name) => `new.${name} is null`),
  '(new.about_id is null or new.about_id is not distinct from old.about_id)',
  ...[
    ...['seq', 'at_ms', 'operator_id', 'operator_name', 'action', 'about_kind', 'personal_digest', 'outcome'],
    ...['begun_seq', 'previous_hash', 'hash'],
  ].map((name) => `new.${name} is not distinct from old.${name}`),
].join(' and ')

/** No entry of the audit log is deleted or changed, whatever a program does. */
export const AUDIT_GUARD: Readonly<Record<Flavour, readonly string[]>> = {
  sqlite: [
    `create trigger audit_entries_delete before delete on audit_entries
      begin select raise(abort, 'entries of the audit log are never deleted'); end`,
    `create trigger audit_entries_update before update on audit_entries when not (${IS_ERASURE})
      begin select raise(abort, 'entries of the audit log are never changed'); end`,
  ],
  postgres: [
    `create function audit_entries_kept() returns trigger language plpgsql as $kept$ begin
      if tg_op = 'UPDATE' then
        if ${IS_ERASURE} then return new; end if;
      end if;
      raise exception 'entries of the audit log are never deleted or changed';
    end $kept$`,
    `create trigger audit_entries_change before update or delete on audit_entries
      for each row execute function audit_entries_kept()`,
    `create trigger audit_entries_truncate before truncate on audit_entries
      for each statement execute function audit_entries_kept()`,
  ],
}
