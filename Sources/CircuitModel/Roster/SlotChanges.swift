/// Who comes where another candidate was planned, after changes of slots.
public enum SlotChanges {
  /// SQL for the candidate who comes with the roster entry `e`: the planned one, unless the session's slot table says
  /// otherwise from this round or an earlier one on. A slot table that cannot be read changes nothing.
  static let candidate = """
    coalesce((
      SELECT json_extract(change.value, '$.comes')
      FROM timetable ct JOIN activityType ca ON ca.dsid = ct.activityTypeID
        JOIN slotTable cs ON cs.circuitID = ca.clinicGroupID AND cs.date = ct.date AND cs.startTime = ct.startTime
        JOIN json_each(CASE WHEN json_valid(cs.places) THEN cs.places ELSE '[]' END) change
      WHERE ct.dsid = e.timetableID AND json_extract(change.value, '$.planned') = e.studentID
        AND json_extract(change.value, '$.round') <= e."order"
      ORDER BY json_extract(change.value, '$.round') DESC LIMIT 1
    ), e.studentID)
    """
}
