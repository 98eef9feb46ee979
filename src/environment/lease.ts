/** The right of this process to act for an environment that several processes share over one database. */
export interface Lease {
  /**
   * Returns undefined while this process holds the lease. Otherwise acquires the lease, and the data that another
   * process left. Rejects with ControlError `storage_unavailable`, or `not_found` for a deleted environment.
   */
  acquire(): Promise<void> | undefined;
  /**
   * Performs a command once, and holds the lease from its beginning to its end. Rejects like `acquire`, and with
   * `storage_unavailable` if the lease was lost meanwhile: then the command may or may not have been applied. An urgent
   * command ends a long clock advance in another process.
   */
  withLease<Result>(act: () => Promise<Result>, isUrgent: boolean): Promise<Result>;
}
