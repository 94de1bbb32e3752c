#if Media
internal import CGStreamer

/// Returns the structure in a field of another structure; nil when the field holds none.
@unsafe func structure(_ whole: UnsafePointer<GstStructure>, _ field: String) -> UnsafePointer<GstStructure>? {
    guard let value = unsafe gst_structure_get_value(whole, field),
        unsafe g_type_check_value_holds(value, gst_structure_get_type()) != 0
    else { return nil }
    return unsafe gst_value_get_structure(value)
}

/// Returns the integer in a field, of any integer type that GStreamer stores there; nil for any other type.
@unsafe func wholeNumber(_ part: UnsafePointer<GstStructure>, _ field: String) -> Int? {
    var large: guint64 = 0
    if unsafe gst_structure_get_uint64(part, field, &large) != 0 { return Int(clamping: large) }
    var signed: gint64 = 0
    if unsafe gst_structure_get_int64(part, field, &signed) != 0 { return Int(signed) }
    var small: guint = 0
    if unsafe gst_structure_get_uint(part, field, &small) != 0 { return Int(small) }
    var number: gint = 0
    if unsafe gst_structure_get_int(part, field, &number) != 0 { return Int(number) }
    return nil
}
#endif
