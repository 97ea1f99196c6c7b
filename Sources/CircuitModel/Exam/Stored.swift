/// The entities whose rows the journal changes, as types: `Stored.Sitting` is the stored row of a `Sitting`. What they
/// are and which fields they have follows from the catalogue; see `Entities`.
package enum Stored {}
