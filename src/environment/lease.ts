/** The right of this process to act for an environment that several processes share over one database. */
export interface Lease {
  /**
   * Returns undefined while this process has the right. Otherwise obtains the right, and the content that another
   * process left; rejects with ControlError `storage_unavailable`, or `not_found` for an environment that was dropped.
   */
  acquire(): Promise<void> | undefined;
  /**
   * Performs a command once, and holds the right from its beginning to its end. Rejects as `acquire` does, and with
   * `storage_unavailable` if the right was lost meanwhile: then nobody knows whether the command was applied. An urgent
   * command ends a long advance of the clock in another process.
   */
  withLease<Result>(act: () => Promise<Result>, isUrgent: boolean): Promise<Result>;
}
