// The entry point of the extension and its callbacks. DuckDB calls C, and C calls Go: after
// a fork the child has none of the threads of Go's runtime, and a call of Go would wait for
// them forever. So each callback first checks that the process is the one that loaded the
// extension.

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>

#ifdef _WIN32
#include <process.h>
#define getpid _getpid
#else
#include <unistd.h>
#endif

#include "bridge.h"
#include "_cgo_export.h"

DUCKDB_EXTENSION_GLOBAL

static int loader; // the process that loaded the extension, 0 before

static bool is_forked(void) { return loader != 0 && loader != (int)getpid(); }

static const char fork_error[] =
    "the extension etl2parquet was loaded before this process was forked, and does not work in it: "
    "start processes by spawn (multiprocessing.get_context(\"spawn\")), or LOAD it after the fork only";

// release is called when DuckDB no longer needs the data of a callback.
static void release(void *data) {
	if (!is_forked()) {
		goRelease((uintptr_t)data);
	}
}

static void bind(duckdb_bind_info info) {
	if (is_forked()) {
		duckdb_bind_set_error(info, fork_error);
		return;
	}
	uintptr_t data = goBind(info, (int)(intptr_t)duckdb_bind_get_extra_info(info));
	if (data != 0) {
		duckdb_bind_set_bind_data(info, (void *)data, release);
	}
}

static void init(duckdb_init_info info) {
	if (is_forked()) {
		duckdb_init_set_error(info, fork_error);
		return;
	}
	uintptr_t data = goInit(info, (uintptr_t)duckdb_init_get_bind_data(info));
	if (data != 0) {
		duckdb_init_set_init_data(info, (void *)data, release);
	}
}

// local_init is called once for each thread that scans.
static void local_init(duckdb_init_info info) {
	if (is_forked()) {
		duckdb_init_set_error(info, fork_error);
		return;
	}
	duckdb_init_set_init_data(info, (void *)goLocalInit(), release);
}

static void next(duckdb_function_info info, duckdb_data_chunk chunk) {
	if (is_forked()) {
		duckdb_function_set_error(info, fork_error);
		return;
	}
	goNext(info, chunk, (uintptr_t)duckdb_function_get_init_data(info), (uintptr_t)duckdb_function_get_local_init_data(info));
}

static bool ends_with(const char *text, const char *end) {
	size_t n = strlen(text), m = strlen(end);
	if (n < m) {
		return false;
	}
	for (size_t i = 0; i < m; i++) {
		if (tolower((unsigned char)text[n - m + i]) != end[i]) {
			return false;
		}
	}
	return true;
}

// replace turns a table name that ends in .etl into a call of read_etl.
static void replace(duckdb_replacement_scan_info info, const char *table, void *data) {
	if (!ends_with(table, ".etl")) {
		return;
	}
	if (is_forked()) {
		duckdb_replacement_scan_set_error(info, fork_error);
		return;
	}
	duckdb_value path = duckdb_create_varchar(table);
	duckdb_replacement_scan_set_function_name(info, "read_etl");
	duckdb_replacement_scan_add_parameter(info, path);
	duckdb_destroy_value(&path);
}

// register_function adds a table function. The parameters are names in one text, each followed by a
// zero, and one more zero at the end; the first has no name.
static bool register_function(duckdb_connection connection, int id, const char *name, const char *parameters) {
	duckdb_table_function f = duckdb_create_table_function();
	duckdb_logical_type any = duckdb_create_logical_type(DUCKDB_TYPE_ANY);
	duckdb_table_function_set_name(f, name);
	if (*parameters != 0) {
		duckdb_table_function_add_parameter(f, any);
		parameters += strlen(parameters) + 1;
	}
	for (; *parameters != 0; parameters += strlen(parameters) + 1) {
		duckdb_table_function_add_named_parameter(f, parameters, any);
	}
	duckdb_table_function_set_extra_info(f, (void *)(intptr_t)id, NULL);
	duckdb_table_function_set_bind(f, bind);
	duckdb_table_function_set_init(f, init);
	duckdb_table_function_set_local_init(f, local_init);
	duckdb_table_function_set_function(f, next);
	duckdb_table_function_supports_projection_pushdown(f, true);
	bool ok = duckdb_register_table_function(connection, f) == DuckDBSuccess;
	duckdb_destroy_logical_type(&any);
	duckdb_destroy_table_function(&f);
	return ok;
}

static void name_codes(duckdb_function_info info, duckdb_data_chunk chunk, duckdb_vector output) {
	if (is_forked()) {
		duckdb_scalar_function_set_error(info, fork_error);
		return;
	}
	goNameCodes(info, (int)(intptr_t)duckdb_scalar_function_get_extra_info(info), chunk, output);
}

// register_codes adds a function that names status codes. HUGEINT accepts integers of all types.
static bool register_codes(duckdb_connection connection, int id, const char *name) {
	duckdb_scalar_function f = duckdb_create_scalar_function();
	duckdb_logical_type number = duckdb_create_logical_type(DUCKDB_TYPE_HUGEINT), text = duckdb_create_logical_type(DUCKDB_TYPE_VARCHAR);
	duckdb_scalar_function_set_name(f, name);
	duckdb_scalar_function_add_parameter(f, number);
	duckdb_scalar_function_set_return_type(f, text);
	duckdb_scalar_function_set_extra_info(f, (void *)(intptr_t)id, NULL);
	duckdb_scalar_function_set_function(f, name_codes);
	bool ok = duckdb_register_scalar_function(connection, f) == DuckDBSuccess;
	duckdb_destroy_logical_type(&number);
	duckdb_destroy_logical_type(&text);
	duckdb_destroy_scalar_function(&f);
	return ok;
}

// create_views runs the statements that define the views, unless a database already has their name.
static bool create_views(duckdb_connection connection, duckdb_extension_info info, struct duckdb_extension_access *access) {
	char *sql = goViews();
	duckdb_result result;
	bool ok = duckdb_query(connection, sql, &result) == DuckDBSuccess;
	if (!ok) {
		access->set_error(info, duckdb_result_error(&result));
	}
	duckdb_destroy_result(&result);
	free(sql);
	return ok;
}

// since_settings is the first version of DuckDB that tells extensions its settings.
static const int since_settings[3] = {1, 5, 6};

// has_settings reports whether a version, such as v1.4.4 or v2.0.0-dev1, is that or later.
static bool has_settings(const char *version) {
	int of[3];
	if (sscanf(version, "v%d.%d.%d", &of[0], &of[1], &of[2]) != 3) {
		return false;
	}
	for (int i = 0; i < 3; i++) {
		if (of[i] != since_settings[i]) {
			return of[i] > since_settings[i];
		}
	}
	return true;
}

// use_api takes the functions of DuckDB that all supported versions have, and if this version has
// them, those of v1.5.6. The rest of the table stays NULL.
static bool use_api(duckdb_extension_info info, struct duckdb_extension_access *access) {
	const void *api = access->get_api(info, "v1.2.0");
	if (api == NULL) {
		return false;
	}
	memcpy(&duckdb_ext_api, api, (char *)&duckdb_row_count - (char *)&duckdb_ext_api); // the first of the later ones
	if (has_settings(duckdb_library_version())) {
		if ((api = access->get_api(info, "v1.5.6")) == NULL) {
			return false;
		}
		memcpy(&duckdb_ext_api, api, sizeof duckdb_ext_api);
	}
	return true;
}

static bool is_attached(duckdb_connection connection, const char *query) {
	duckdb_result result;
	bool is = false;
	if (duckdb_query(connection, query, &result) == DuckDBSuccess) {
		duckdb_data_chunk rows = duckdb_fetch_chunk(result);
		is = rows != NULL && duckdb_data_chunk_get_size(rows) > 0;
		duckdb_destroy_data_chunk(&rows);
	}
	duckdb_destroy_result(&result);
	return is;
}

DUCKDB_CAPI_ENTRY_VISIBILITY bool etl2parquet_init_c_api(duckdb_extension_info info, struct duckdb_extension_access *access) {
	if (is_forked()) {
		access->set_error(info, fork_error);
		return false;
	}
	if (!use_api(info, access)) {
		return false;
	}
	loader = (int)getpid();
	duckdb_database *database = access->get_database(info);
	duckdb_connection connection;
	if (database == NULL || duckdb_connect(*database, &connection) == DuckDBError) {
		access->set_error(info, "etl2parquet: cannot connect to the database");
		return false;
	}
	bool ok = true;
	for (int id = 0; ok; id++) {
		char *parameters = NULL;
		char *name = goFunction(id, &parameters);
		if (name == NULL) {
			break;
		}
		ok = register_function(connection, id, name, parameters);
		if (!ok) {
			access->set_error(info, "etl2parquet: cannot register its functions");
		}
		free(name);
		free(parameters);
	}
	for (int id = 0; ok; id++) {
		char *name = goCodeFunction(id);
		if (name == NULL) {
			break;
		}
		ok = register_codes(connection, id, name);
		if (!ok) {
			access->set_error(info, "etl2parquet: cannot register its functions that name status codes");
		}
		free(name);
	}
	if (ok && !is_attached(connection, "SELECT 1 FROM duckdb_databases() WHERE database_name = 'etl'")) {
		ok = create_views(connection, info, access);
	}
	if (ok) {
		duckdb_add_replacement_scan(*database, replace, NULL, NULL);
	}
	duckdb_disconnect(&connection);
	return ok;
}
