/// Why a rule does not allow what was asked. Nothing was changed by it, and nothing is wrong with the disk.
///
/// The model says which rule and about what; who shows a refusal puts it into words (`Reports/Words`).
public protocol RuleRefusal: Error, Equatable {}

/// Whether an error is a rule's refusal; else the disk or the store did not take it.
public func isRefusal(_ error: any Error) -> Bool {
  error is any RuleRefusal || (error as? StoreError)?.isOfDisk == false
}
