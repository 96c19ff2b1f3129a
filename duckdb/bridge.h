// The part of DuckDB's C API that Go calls. The API is a table of function pointers, which Go
// cannot call: each function here calls one of them.

#ifndef ETL2PARQUET_BRIDGE_H
#define ETL2PARQUET_BRIDGE_H

#include <stdlib.h>
#include <string.h>

#include "duckdb_extension.h"

DUCKDB_EXTENSION_EXTERN

// Types.
static inline duckdb_logical_type api_type(int id) { return duckdb_create_logical_type((duckdb_type)id); }
static inline duckdb_logical_type api_list_type(duckdb_logical_type element) { return duckdb_create_list_type(element); }
static inline duckdb_logical_type api_struct_type(duckdb_logical_type *types, const char **names, idx_t n) {
	return duckdb_create_struct_type(types, names, n);
}
static inline void api_destroy_type(duckdb_logical_type t) { duckdb_destroy_logical_type(&t); }

// Values of parameters.
static inline bool api_is_null(duckdb_value v) { return duckdb_is_null_value(v); }
static inline int api_value_type(duckdb_value v) { return (int)duckdb_get_type_id(duckdb_get_value_type(v)); }
static inline char *api_text(duckdb_value v) { return duckdb_get_varchar(v); }
// api_micros returns a timestamp, with a time zone or without.
static inline int64_t api_micros(duckdb_value v) {
	return api_value_type(v) == DUCKDB_TYPE_TIMESTAMP ? duckdb_get_timestamp(v).micros : duckdb_get_timestamp_tz(v).micros;
}
static inline idx_t api_list_size(duckdb_value v) { return duckdb_get_list_size(v); }
static inline duckdb_value api_list_child(duckdb_value v, idx_t i) { return duckdb_get_list_child(v, i); }
static inline void api_destroy_value(duckdb_value v) { duckdb_destroy_value(&v); }
static inline void api_free(void *p) { duckdb_free(p); }

// api_has_zero reports whether a text has a zero byte, at which duckdb_get_varchar seems to end: the
// literal of the text is then not as long as its characters, quotes and the two quotes around it.
// DuckDB has the function since 1.5.6; before, it returns false.
static inline bool api_has_zero(duckdb_value v) {
	if (duckdb_value_to_string == NULL) {
		return false;
	}
	char *text = duckdb_get_varchar(v), *literal = duckdb_value_to_string(v);
	size_t expected = strlen(text) + 2;
	for (const char *c = text; *c != 0; c++) {
		expected += *c == '\'';
	}
	bool has = strlen(literal) != expected;
	duckdb_free(text);
	duckdb_free(literal);
	return has;
}

// Bind.
static inline duckdb_value api_parameter(duckdb_bind_info i, idx_t n) { return duckdb_bind_get_parameter(i, n); }
static inline duckdb_value api_named_parameter(duckdb_bind_info i, const char *name) {
	return duckdb_bind_get_named_parameter(i, name);
}
static inline void api_add_column(duckdb_bind_info i, const char *name, duckdb_logical_type t) {
	duckdb_bind_add_result_column(i, name, t);
}
static inline void api_set_cardinality(duckdb_bind_info i, idx_t rows, bool exact) { duckdb_bind_set_cardinality(i, rows, exact); }
static inline void api_bind_error(duckdb_bind_info i, const char *text) { duckdb_bind_set_error(i, text); }

// Settings, which DuckDB tells since 1.5.6. The caller destroys a value.
static inline bool api_has_settings(void) { return duckdb_client_context_get_config_option != NULL; }
static inline duckdb_value api_setting(duckdb_bind_info i, const char *name) {
	duckdb_client_context context = NULL;
	duckdb_table_function_get_client_context(i, &context);
	if (context == NULL) {
		return NULL;
	}
	duckdb_value v = duckdb_client_context_get_config_option(context, name, NULL);
	duckdb_destroy_client_context(&context);
	return v;
}

// api_refuses reports whether the settings keep DuckDB's file system from opening a file. Other
// errors do not matter: the extension reports its own.
static inline bool api_refuses(duckdb_bind_info i, const char *path) {
	duckdb_client_context context = NULL;
	duckdb_table_function_get_client_context(i, &context);
	if (context == NULL) {
		return true;
	}
	duckdb_file_system files = duckdb_client_context_get_file_system(context);
	duckdb_file_open_options options = duckdb_create_file_open_options();
	duckdb_file_open_options_set_flag(options, DUCKDB_FILE_FLAG_READ, true);
	duckdb_file_handle file = NULL;
	bool refuses = false;
	if (duckdb_file_system_open(files, path, options, &file) == DuckDBError) {
		duckdb_error_data error = duckdb_file_system_error_data(files);
		refuses = duckdb_error_data_error_type(error) == DUCKDB_ERROR_PERMISSION;
		duckdb_destroy_error_data(&error);
	}
	duckdb_destroy_file_handle(&file);
	duckdb_destroy_file_open_options(&options);
	duckdb_destroy_file_system(&files);
	duckdb_destroy_client_context(&context);
	return refuses;
}

// Init.
static inline idx_t api_column_count(duckdb_init_info i) { return duckdb_init_get_column_count(i); }
static inline idx_t api_column_index(duckdb_init_info i, idx_t n) { return duckdb_init_get_column_index(i, n); }
static inline void api_set_max_threads(duckdb_init_info i, idx_t n) { duckdb_init_set_max_threads(i, n); }
static inline void api_init_error(duckdb_init_info i, const char *text) { duckdb_init_set_error(i, text); }

// Rows.
static inline void api_function_error(duckdb_function_info i, const char *text) { duckdb_function_set_error(i, text); }
static inline void api_scalar_error(duckdb_function_info i, const char *text) { duckdb_scalar_function_set_error(i, text); }
static inline idx_t api_size(duckdb_data_chunk c) { return duckdb_data_chunk_get_size(c); }
static inline bool api_is_valid(duckdb_vector v, idx_t n) {
	uint64_t *validity = duckdb_vector_get_validity(v);
	return validity == NULL || duckdb_validity_row_is_valid(validity, n);
}
static inline idx_t api_vector_size(void) { return duckdb_vector_size(); }
static inline duckdb_vector api_vector(duckdb_data_chunk c, idx_t n) { return duckdb_data_chunk_get_vector(c, n); }
static inline void api_set_size(duckdb_data_chunk c, idx_t n) { duckdb_data_chunk_set_size(c, n); }
static inline void *api_data(duckdb_vector v) { return duckdb_vector_get_data(v); }
static inline uint64_t *api_validity(duckdb_vector v) {
	duckdb_vector_ensure_validity_writable(v);
	return duckdb_vector_get_validity(v);
}
// api_keep copies bytes into the memory of a vector and refers to them by its row 0.
static inline void api_keep(duckdb_vector v, const void *bytes, idx_t n) {
	duckdb_vector_assign_string_element_len(v, 0, (const char *)bytes, n);
}
static inline bool api_list_resize(duckdb_vector v, idx_t n) {
	return duckdb_list_vector_reserve(v, n) == DuckDBSuccess && duckdb_list_vector_set_size(v, n) == DuckDBSuccess;
}
static inline duckdb_vector api_list_vector(duckdb_vector v) { return duckdb_list_vector_get_child(v); }
static inline duckdb_vector api_struct_vector(duckdb_vector v, idx_t n) { return duckdb_struct_vector_get_child(v, n); }

#endif
